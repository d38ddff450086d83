#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    PrxContextInfo info = context.info().value();
    std::printf("Proxel %s on %s\n", prx_version_string(), info.device_name);
}
