#ifndef delassus_output_contact_output_h
#define delassus_output_contact_output_h

#include <delassus/contact/kinematics/contact.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/materials/linear_elastic.h>

namespace delassus
{
/// The contacts of one step, as they are shown.
template <int dim>
struct ContactFields
{
  const ContactSurfaces<dim> *surfaces;
  const std::vector<Contact<dim>> *contacts;
  const std::vector<double> *P; ///< impulses
  const std::vector<double> *U; ///< relative velocities
  const std::vector<double> *gaps;
  const std::vector<double> *positions; ///< of the contact nodes
  const std::vector<ContactStatus> *status;
  double h;
  bool converged;

  /// What laws show of their contacts, by their own names: one number a
  /// contact, or dim in global axes.
  struct LawValues
  {
    std::string name;
    bool is_vector;
    std::vector<double> values;
  };
  std::vector<LawValues> of_laws = {};
};

/// Contact points as a .vtu: position, normal, gap, reaction (a force, exerted
/// on the candidate), its normal and tangential parts, sliding velocity,
/// status (0 open, 1 stick, 2 slip), interaction, converged; and the name of
/// the @p stage, if there is one.
template <int dim>
void write_contacts(const std::string &path,
                    const ContactFields<dim> &fields,
                    const std::string &stage = "");

/// Where a piece is and how large: in small perturbations its reference
/// configuration, of finite strains the present one.
template <int dim>
struct PiecePlace
{
  dealii::Point<dim> centre; ///< of mass
  double volume;
  bool present;
};

/// The moment stress sigma = (1/V) sum OP (x) r of every piece; O its centre of
/// mass, r the reactions (forces) on it, P where they act: on the reference
/// configuration, or the present one where that is the piece's place.
template <int dim>
std::vector<Voigt> moment_stresses(const std::vector<PiecePlace<dim>> &places,
                                   const ContactFields<dim> &fields);

/// One point per piece at its centre: moment stress, principal moment stresses
/// (descending) and their directions, volume; and the @p stage as above.
template <int dim>
void write_blocks(const std::string &path,
                  const std::vector<PiecePlace<dim>> &places,
                  const std::vector<Voigt> &stresses,
                  const std::string &stage = "");
} // namespace delassus

#endif
