#ifndef delassus_shell_systems_shell_skin_h
#define delassus_shell_systems_shell_skin_h

#include <delassus/shell_systems/shell_piece.h>
#include <delassus/systems/skin.h>

namespace delassus
{
/// The two sides of sheets, and their edges. The carriers of a piece
/// (ShellPiece) follow those of the pieces before; the vertices of the faces,
/// which depend on them, come last:
///   outer: x_i + w c_k,   inner: x_i - w c_k,
/// c_k the director with the length of half the thickness there. w = 1, but
/// less for the thinner ones of the elements that share a director. Faces of
/// the inner side go round the other way. Edges at which the sheet ends have
/// faces through the thickness, between the vertices of both sides, under the
/// names of the edges; they are no part of the whole skin.
class ShellSkin : public Skin<3>
{
public:
  /// @p rank_of_piece: the MPI rank that owns each.
  ShellSkin(const std::string &name, std::vector<unsigned int> rank_of_piece);

  /// The next piece.
  void add(const ShellPiece &piece);

  /// After the last one: vertices and faces.
  void make_faces(const std::vector<std::unique_ptr<ShellPiece>> &pieces);

  const std::string &name() const override
  {
    return own_name;
  }
  const std::vector<SkinFace> &skin_faces() const override
  {
    return faces;
  }
  const std::vector<unsigned int> &
  surface(const std::string &surface_name,
          const std::string &asked_by) const override;
  bool has_points() const override
  {
    return true;
  }
  /// The sides, then the edges.
  std::vector<std::string> surface_names() const override;
  Carrier carrier(const unsigned int number) const override;
  std::vector<CarrierWeight> masters(const unsigned int number) const override;
  /// Of a vertex: its position's.
  unsigned int number_in_piece(const unsigned int carrier) const override;
  unsigned int n_pieces() const override
  {
    return centres.size();
  }
  unsigned int piece_owner(const unsigned int piece) const override
  {
    return ranks[piece];
  }
  bool is_split() const override
  {
    return false;
  }
  dealii::Point<3> piece_centre(const unsigned int piece) const override
  {
    return centres[piece];
  }

  /// The first carrier of a piece; that of the piece after the last is the
  /// first vertex.
  unsigned int first_carrier(const unsigned int piece) const
  {
    return first[piece];
  }
  unsigned int piece_of(const unsigned int carrier) const;
  bool is_vertex(const unsigned int carrier) const
  {
    return carrier >= first.back();
  }
  bool is_director(const unsigned int carrier) const
  {
    const unsigned int p = piece_of(carrier);
    return !is_vertex(carrier) && carrier - first[p] >= n_positions[p];
  }

private:
  struct Vertex
  {
    unsigned int piece, position, director; ///< carriers
    double weight;
  };

  /// The faces of edges, after those of the sides.
  void make_edges(const std::vector<std::unique_ptr<ShellPiece>> &pieces);

  const std::string own_name;
  const std::vector<unsigned int> ranks;
  std::vector<dealii::Point<3>> centres;
  std::vector<unsigned int> first, n_positions;
  std::vector<dealii::Point<3>> references; ///< of what does not depend
  std::vector<Vertex> vertices;
  std::vector<SkinFace> faces;
  std::vector<unsigned int> all_faces;
  std::array<std::vector<unsigned int>, 2> side; ///< outer, inner
  std::map<std::string, std::vector<unsigned int>> edges;
};
} // namespace delassus

#endif
