#ifndef delassus_simulation_contact_messages_h
#define delassus_simulation_contact_messages_h

#include <delassus/contact/global_solvers/rank_coupling.h>
#include <delassus/contact/kinematics/contact.h>
#include <delassus/contact/local_solvers/local_solver.h>

#include <delassus/simulation/contact_set.h>

#include <array>

namespace delassus
{
/// Who needs what of whose contacts. A contact belongs to one rank, which
/// solves it. Another rank needs its impulse
/// - in every sweep, if one of its own contacts acts on the same piece: they
///   are coupled;
/// - at the end of the step, if the contact acts on one of its nodes.
/// Such contacts are its ghosts. Messages go between such ranks only.
template <int dim>
class ContactMessages : public RankCoupling<dim>
{
public:
  /// @p piece_rank: of each piece, numbered across bodies.
  ContactMessages(const ContactSurfaces<dim> &surfaces,
                  std::vector<unsigned int> piece_rank,
                  MPI_Comm communicator);
  ~ContactMessages();
  ContactMessages(const ContactMessages &) = delete;

  /// Find the ghosts of these contacts and the order of sweeps. Ranks together.
  void reinit(const std::vector<Contact<dim>> &contacts);

  /// Send every contact to the rank that owner[contact.point] names; what
  /// arrives is sorted by interaction and point. Ranks together.
  void move(ContactSet<dim> &table,
            const std::vector<unsigned int> &owner) const;

  /// The impulses of all ghosts, dim values each. Ranks together.
  void tell_ghosts(const std::vector<double> &P, std::vector<double> &ghost_P);

  std::vector<Contact<dim>> ghosts;
  std::size_t n_coupled_ghosts = 0; ///< the first of them
  std::size_t n_coupled        = 0; ///< own contacts with neighbours

  // RankCoupling, over the coupled ghosts:
  void start() override;
  void send(const double *impulses) override;
  bool receive(const unsigned int lower,
               const unsigned int higher,
               double *ghosts) override;
  void sum(double *values, const std::size_t n) const override;
  void maximum(double *values, const std::size_t n) const override;
  unsigned int rank() const override
  {
    return my_rank;
  }
  std::string first_error(const std::string &mine) const override;

private:
  static constexpr unsigned int n_buffers = 4;

  /// Another rank with ghosts of ours or contacts that are ghosts here.
  struct Neighbour
  {
    unsigned int rank;
    std::vector<unsigned int> send; ///< own contacts, the coupled ones first
    std::size_t n_send_coupled;
    /// Ghosts from there: coupled ones, and those that only touch nodes.
    std::size_t first_coupled, n_receive_coupled;
    std::size_t first_touching, n_receive_touching;
    bool lower = false; ///< its colour

    bool coupled() const
    {
      return n_send_coupled + n_receive_coupled > 0;
    }

    std::vector<double> step_out, step_in;          ///< impulses of the step
    std::array<std::vector<double>, n_buffers> out; ///< and of sweeps
    std::array<MPI_Request, n_buffers> requests;
    std::vector<double> in;
    unsigned long n_received = 0; ///< messages of sweeps
  };

  void find_neighbours(const std::vector<Contact<dim>> &contacts);
  void order_sweeps(const std::size_t n_contacts);
  void finish_sends();
  void receive_from(Neighbour &neighbour, double *ghosts);

  const ContactSurfaces<dim> &surfaces;
  const std::vector<unsigned int> piece_rank;
  MPI_Comm communicator;
  const unsigned int n_ranks, my_rank;
  std::vector<Neighbour> neighbours;
  std::vector<bool> is_coupled; ///< of own contacts
  unsigned long n_sent = 0, sent_before = 0;
};
} // namespace delassus

#endif
