#ifndef delassus_verification_cases_h
#define delassus_verification_cases_h

#include <delassus/verification/report.h>

#include <functional>
#include <string>
#include <vector>

namespace delassus
{
namespace verification
{
struct Picture
{
  std::string file; ///< below doc/images
  std::string caption;
};

/// A reference problem.
struct Case
{
  std::string name;
  std::string title;
  std::string description; ///< what is computed, how, and what is known of it
  double seconds;          ///< about how long it takes
  bool quick;              ///< runs without being asked for
  std::function<void(CaseReport &)> evaluate;
  std::vector<Picture> pictures = {};
};

/// All cases, in the order in which they are listed. Each group has a file.
std::vector<Case> all_cases();

void add_single_contact_cases(std::vector<Case> &cases);
void add_bar_cases(std::vector<Case> &cases);
void add_identity_cases(std::vector<Case> &cases);
void add_friction_cases(std::vector<Case> &cases);
void add_cattaneo_cases(std::vector<Case> &cases);
void add_viscous_cases(std::vector<Case> &cases);
void add_hertz_cases(std::vector<Case> &cases);
void add_material_cases(std::vector<Case> &cases);
void add_plasticity_cases(std::vector<Case> &cases);
void add_taylor_cases(std::vector<Case> &cases);
void add_large_sliding_cases(std::vector<Case> &cases);
void add_rigid_body_cases(std::vector<Case> &cases);
void add_linear_shell_cases(std::vector<Case> &cases);
void add_large_shell_cases(std::vector<Case> &cases);
void add_plastic_shell_cases(std::vector<Case> &cases);
void add_shell_forming_cases(std::vector<Case> &cases);
void add_shell_contact_cases(std::vector<Case> &cases);
void add_sheet_cases(std::vector<Case> &cases);
void add_shell_dynamics_cases(std::vector<Case> &cases);
} // namespace verification
} // namespace delassus

#endif
