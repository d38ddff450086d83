// MuJoCo's contacts of two signed distance fields, which it makes of the meshes as octrees. One thread, rigid bodies only.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "../contact_steps.hpp"

namespace {

// MuJoCo reads meshes from files.
std::string write_obj(const Mesh& mesh) {
    const std::string path = std::filesystem::temp_directory_path() / ("mujoco-" + std::to_string(getpid()) + ".obj");
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    for (const auto& p : mesh.points) std::fprintf(file, "v %.9g %.9g %.9g\n", double(p[0]), double(p[1]), double(p[2]));
    for (const auto& t : mesh.triangles) std::fprintf(file, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
    std::fclose(file);
    return path;
}

mjModel* load(const Mesh& mesh) {
    const std::string obj = write_obj(mesh), xml = obj + ".xml";
    std::FILE* file = std::fopen(xml.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + xml);
    std::fprintf(file,
                 "<mujoco><option sdf_iterations='10' sdf_initpoints='40'/><asset><mesh name='m' file='%s'/></asset><worldbody>"
                 "<geom type='sdf' mesh='m'/><body><freejoint/><geom type='sdf' mesh='m'/></body></worldbody></mujoco>",
                 obj.c_str());
    std::fclose(file);
    char error[1000] = "";
    mjModel* model = mj_loadXML(xml.c_str(), nullptr, error, sizeof error);
    std::filesystem::remove(obj);
    std::filesystem::remove(xml);
    if (model == nullptr) throw std::runtime_error(error);
    return model;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        mjModel* model = load(mesh);
        mjData* data = mj_makeData(model);
        compete_in_contacts("MuJoCo " + std::string(mj_versionString()), mesh, false, [&](const ContactStep& step) {
            for (int i = 0; i < 3; ++i) data->qpos[i] = step.pose.translation[i];
            for (int i = 0; i < 4; ++i) data->qpos[3 + i] = step.pose.rotation[(i + 3) % 4];
            mj_kinematics(model, data);
            mj_collision(model, data);
            double deepest = 0;
            for (int i = 0; i < data->ncon; ++i) deepest = std::max(deepest, -data->contact[i].dist);
            return deepest;
        });
        mj_deleteData(data);
        mj_deleteModel(model);
    });
}
