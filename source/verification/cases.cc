#include <delassus/verification/cases.h>

namespace delassus
{
namespace verification
{
std::vector<Case> all_cases()
{
  std::vector<Case> cases;
  add_single_contact_cases(cases);
  add_identity_cases(cases);
  add_bar_cases(cases);
  add_friction_cases(cases);
  add_hertz_cases(cases);
  add_cattaneo_cases(cases);
  add_viscous_cases(cases);
  add_material_cases(cases);
  add_plasticity_cases(cases);
  add_taylor_cases(cases);
  add_large_sliding_cases(cases);
  add_rigid_body_cases(cases);
  add_linear_shell_cases(cases);
  add_large_shell_cases(cases);
  add_plastic_shell_cases(cases);
  add_shell_forming_cases(cases);
  add_shell_contact_cases(cases);
  add_sheet_cases(cases);
  add_shell_dynamics_cases(cases);
  return cases;
}
} // namespace verification
} // namespace delassus
