#include <delassus/base/exceptions.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/make_mesh.h>

namespace delassus
{
template <int dim>
MeshData<dim> make_mesh(const BodyParameters &body)
{
  const MeshParameters &parameters = body.mesh;
  std::string where                = "Body '" + body.name + "', mesh";

  MeshData<dim> mesh;
  switch (parameters.type)
  {
    case MeshType::box:
      mesh = make_box<dim>(parameters, where);
      break;
    case MeshType::running_bond_wall:
      mesh = make_running_bond_wall<dim>(parameters, where);
      break;
    case MeshType::file:
      throw InputError(where + " '" + parameters.file +
                       "': files are not read in this version.");
  }
  check_mesh(mesh, where);
  return mesh;
}

template MeshData<2> make_mesh<2>(const BodyParameters &);
template MeshData<3> make_mesh<3>(const BodyParameters &);
} // namespace delassus
