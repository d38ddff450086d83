// Ctrl-C during long work: the first one asks it to stop, a second one ends the tool at once.
#pragma once

#include <csignal>

namespace cli {

// While one lives, the first Ctrl-C only sets a flag. Only one lives at a time.
class Interrupt {
public:
    Interrupt() {
        asked() = 0;
        before_ = std::signal(SIGINT, [](int) {
            asked() = 1;
            std::signal(SIGINT, SIG_DFL);
        });
        // Who started the tool may have asked for no interrupts, as nohup and shell scripts do.
        if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    }
    ~Interrupt() { std::signal(SIGINT, before_ == SIG_ERR ? SIG_DFL : before_); }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool came() const { return asked() != 0; }

private:
    static volatile std::sig_atomic_t& asked() {
        static volatile std::sig_atomic_t flag = 0;
        return flag;
    }

    void (*before_)(int) = SIG_DFL;
};

} // namespace cli
