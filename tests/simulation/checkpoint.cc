// The parts of checkpoints: archives, points in two numberings, and state that
// is read into a mesh with other numbers.
#include "run_case.h"

#include <delassus/base/archive.h>
#include <delassus/base/exceptions.h>
#include <delassus/simulation/checkpoint.h>
#include <delassus/systems/match_positions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>

using namespace delassus;

namespace
{
struct Inner
{
  int a    = 0;
  double b = 0.;
};

struct Thing
{
  double number = 0.;
  std::string text;
  std::vector<bool> flags;
  std::vector<std::vector<float>> lists;
  std::vector<std::pair<double, std::string>> pairs;
  Inner inner;

  void archive(Archive &archive)
  {
    archive("number", number);
    archive("text", text);
    archive("flags", flags);
    archive("lists", lists);
    archive("pairs", pairs);
    archive("inner", inner);
  }
};
} // namespace

TEST(Archive, GivesBackEveryBit)
{
  Thing thing{ std::nextafter(0.1, 1.),
               std::string("a\0b", 3),
               { true, false, true },
               { { 1.f }, {}, { 2.f, 3.f } },
               { { -0., "x" }, { std::nan(""), "" } },
               { 7, std::numeric_limits<double>::denorm_min() } };
  Archive out;
  out("thing", thing);
  Thing copy;
  Archive in(out.bytes(), "test");
  in("thing", copy);
  in.expect_end();
  EXPECT_EQ(copy.number, thing.number);
  EXPECT_EQ(copy.text, thing.text);
  EXPECT_EQ(copy.flags, thing.flags);
  EXPECT_EQ(copy.lists, thing.lists);
  ASSERT_EQ(copy.pairs.size(), 2u);
  EXPECT_TRUE(std::signbit(copy.pairs[0].first));
  EXPECT_TRUE(std::isnan(copy.pairs[1].first));
  EXPECT_EQ(copy.pairs[0].second, "x");
  EXPECT_EQ(copy.inner.a, 7);
  EXPECT_EQ(copy.inner.b, thing.inner.b);
}

TEST(Archive, OtherFieldsAreRefused)
{
  double value = 1.;
  std::vector<double> list(3, 2.);
  Archive out;
  out("value", value);
  out("list", list);
  const auto load = [&](const std::string &bytes, const auto &work)
  {
    Archive in(bytes, "test");
    EXPECT_THROW(work(in), InputError);
  };
  load(out.bytes(), [&](Archive &in) { in("other", value); });
  float narrow = 0.;
  load(out.bytes(), [&](Archive &in) { in("value", narrow); });
  load(out.bytes(),
       [&](Archive &in)
       {
         in("value", value);
         in.expect_end();
       });
  for (std::size_t n = 0; n < out.bytes().size(); ++n)
    load(out.bytes().substr(0, n),
         [&](Archive &in)
         {
           in("value", value);
           in("list", list);
         });
}

TEST(MatchPositions, ShuffledPoints)
{
  // A grid of nodes, each twice (two pieces that touch), some moved by
  // rounding.
  std::mt19937 random(5);
  std::vector<double> from;
  std::vector<unsigned int> label;
  for (unsigned int i = 0; i < 20; ++i)
    for (unsigned int j = 0; j < 20; ++j)
      for (unsigned int k = 0; k < 2; ++k)
      {
        from.insert(from.end(), { 0.1 * i, -0.1 + 0.01 * j, 1. / 3. });
        label.push_back(k);
      }
  std::vector<unsigned int> order(label.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<double> to;
  std::vector<unsigned int> to_label;
  for (const unsigned int i : order)
  {
    for (unsigned int c = 0; c < 3; ++c)
      to.push_back(std::nextafter(from[3 * i + c], i % 2 ? 10. : -10.));
    to_label.push_back(label[i]);
  }
  EXPECT_EQ(match_positions(3, from, label, to, to_label), order);
  // Points that are not there.
  to[0] += 1e-3;
  to_label[1]             = 2;
  const auto found        = match_positions(3, from, label, to, to_label);
  const unsigned int none = std::numeric_limits<unsigned int>::max();
  EXPECT_EQ(found[0], none);
  EXPECT_EQ(found[1], none);
  EXPECT_EQ(found[2], order[2]);
}

TEST(MatchPositions, CoincidentPointsKeepTheirOrder)
{
  const std::vector<double> from = { 0., 0., 1., 1., 0., 0. };
  const std::vector<unsigned int> label(3, 0);
  EXPECT_EQ(match_positions(2, from, label, { 0., 0., 0., 0., 1., 1. }, label),
            (std::vector<unsigned int>{ 0, 2, 1 }));
}

namespace
{
/// A rectangle of nx x ny quadrilaterals with nodes and cells in random order
/// (seed 0: in order).
std::string rectangle(const double x0,
                      const double y0,
                      const double width,
                      const double height,
                      const unsigned int nx,
                      const unsigned int ny,
                      const unsigned int seed)
{
  std::mt19937 random(seed);
  std::vector<unsigned int> nodes((nx + 1) * (ny + 1)), cells(nx * ny);
  std::iota(nodes.begin(), nodes.end(), 0u);
  std::iota(cells.begin(), cells.end(), 0u);
  if (seed > 0)
  {
    std::shuffle(nodes.begin(), nodes.end(), random);
    std::shuffle(cells.begin(), cells.end(), random);
  }
  std::vector<unsigned int> number(nodes.size());
  std::ostringstream out;
  out.precision(17);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
      << nodes.size() << '\n';
  for (unsigned int k = 0; k < nodes.size(); ++k)
  {
    number[nodes[k]] = k + 1;
    out << k + 1 << ' ' << x0 + width * (nodes[k] % (nx + 1)) / nx << ' '
        << y0 + height * (nodes[k] / (nx + 1)) / ny << " 0\n";
  }
  out << "$EndNodes\n$Elements\n" << cells.size() << '\n';
  for (unsigned int k = 0; k < cells.size(); ++k)
  {
    const unsigned int corner = cells[k] % nx + (nx + 1) * (cells[k] / nx);
    out << k + 1 << " 3 2 1 1 " << number[corner] << ' ' << number[corner + 1]
        << ' ' << number[corner + nx + 2] << ' ' << number[corner + nx + 1]
        << '\n';
  }
  out << "$EndElements\n";
  return out.str();
}

const char *two_blocks = R"(
set Gravity = 2, -10
subsection Time
  set End  = 0.02
  set Step = 1e-3
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body lower
  set Material = stone
  subsection Mesh
    set Type = file
    set File = lower.msh
  end
end
subsection Body upper
  set Material = stone
  subsection Mesh
    set Type = file
    set File = upper.msh
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.1
end
subsection Interaction joint
  set Candidates  = upper
  set Antagonists = lower
  set Law         = dry
  set Points      = nodes
end
subsection Interaction foundation
  set Candidates  = lower
  set Antagonists = ground
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance      = 1e-10
  set Maximum sweeps = 100000
end
subsection Output
  set Interval         = 0
  set Checkpoint steps = 1
end
)";
} // namespace

// Another number of ranks may number the nodes of a body differently; so does
// another file of the same mesh.
TEST(Checkpoint, IsReadIntoOtherNumbers)
{
  const test::TemporaryDirectory directory;
  const std::string file = test::write_case(directory, two_blocks);
  const auto meshes      = [&](const unsigned int seed)
  {
    std::ofstream(directory.path + "/lower.msh")
        << rectangle(0., 0., 0.4, 0.1, 6, 2, seed);
    std::ofstream(directory.path + "/upper.msh")
        << rectangle(0.1, 0.1, 0.1, 0.1, 3, 3, seed > 0 ? seed + 1 : 0);
  };
  const auto run =
      [&](const std::string &name, const bool resume, const double stop_at)
  {
    RunOptions options;
    options.quiet  = true;
    options.resume = resume;
    Simulation<2> simulation(
        read_parameters(file,
                        { "Output/Directory=" + directory.path + "/" + name }),
        options,
        MPI_COMM_SELF);
    simulation.on_step = [&](const double t, const double)
    {
      if (t > stop_at)
        std::raise(SIGTERM);
    };
    if (stop_at < 1.)
      EXPECT_THROW(simulation.run(), ComputationError);
    else
      simulation.run();
  };
  meshes(0);
  run("whole", false, 1.);
  run("parts", false, 0.0065);
  meshes(3);
  run("parts", true, 0.0115);
  meshes(8);
  run("parts", true, 1.);
  const auto a = test::read_csv(directory.path + "/whole/history.csv");
  const auto b = test::read_csv(directory.path + "/parts/history.csv");
  for (const auto &[name, values] : a)
  {
    if (name == "sweeps" || name == "contact_error" || name == "penetration")
      continue;
    double largest = 0.;
    for (const double value : values)
      largest = std::max(largest, std::abs(value));
    ASSERT_EQ(values.size(), b.at(name).size()) << name;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], b.at(name)[i], 1e-6 * largest)
          << name << " row " << i;
  }

  // Warm starts come along: the first step after the resume needs no more
  // sweeps than the same step of the whole run, up to a few.
  EXPECT_LE(b.at("sweeps")[7], 1.5 * a.at("sweeps")[7] + 20.);

  // Another mesh is refused.
  std::ofstream(directory.path + "/upper.msh")
      << rectangle(0.1, 0.1, 0.1, 0.1, 3, 4, 0);
  std::filesystem::remove(directory.path + "/parts/summary.json");
  try
  {
    run("parts", true, 1.);
    ADD_FAILURE();
  }
  catch (const InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("The mesh of body 'upper'"),
              std::string::npos)
        << e.what();
  }
}

// A checkpoint of another format version is refused by name: the version, the
// program that wrote it if the file tells, and what to do.
TEST(Checkpoint, OfAnotherFormatIsRefusedByName)
{
  const test::TemporaryDirectory directory;
  const std::string file = directory.path + "/checkpoint.bin";
  Checkpoint checkpoint;
  checkpoint.label.program_version = "0.8.15";
  checkpoint.label.dimension       = 2;
  checkpoint.common                = "what all know";
  checkpoint.ranks                 = { "what one knows" };
  ASSERT_EQ(write_checkpoint(directory.path, 1, checkpoint, MPI_COMM_SELF), "");
  std::string warning;
  EXPECT_EQ(read_checkpoint(directory.path, warning, MPI_COMM_SELF).common,
            checkpoint.common);
  std::ifstream in(file, std::ios::binary);
  const std::string good{ std::istreambuf_iterator<char>(in), {} };

  const auto refusal = [&](const std::uint32_t version,
                           const std::function<void(std::string &)> &change)
  {
    std::string bytes = good;
    // After the magic number and the order of bytes.
    std::memcpy(&bytes[8 + sizeof(std::uint32_t)], &version, sizeof(version));
    change(bytes);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    try
    {
      read_checkpoint(directory.path, warning, MPI_COMM_SELF);
    }
    catch (const InputError &e)
    {
      return std::string(e.what());
    }
    return std::string("was read");
  };
  const auto expect =
      [](const std::string &text, const std::vector<std::string> &parts)
  {
    for (const auto &part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  const std::vector<std::string> what_to_do = {
    "--resume",
    file,
    "Go on with the program that wrote it",
    "without --resume the run starts anew"
  };
  const auto older = refusal(1, [](std::string &) {});
  expect(older, what_to_do);
  expect(older, { "version 1 of the format", "written by delassus 0.8.15" });
  expect(refusal(99, [](std::string &) {}),
         { "version 99 of the format", "written by delassus 0.8.15" });

  // Where the label is cut off, damaged or something else, it is not read.
  const auto label = good.find("0.8.15");
  ASSERT_NE(label, std::string::npos);
  for (const auto &change :
       std::vector<std::function<void(std::string &)>>{
           [&](std::string &bytes) { bytes.resize(label); },
           [&](std::string &bytes) { bytes[label] = '7'; },
           [](std::string &bytes) { bytes.resize(24); },
           [](std::string &bytes) { std::memset(&bytes[16], 0xff, 8); },
           [](std::string &bytes) { std::memset(&bytes[24], 0xff, 8); } })
  {
    const auto text = refusal(1, change);
    expect(text, what_to_do);
    expect(text, { "version 1 of the format", "written by an older program" });
  }
}
