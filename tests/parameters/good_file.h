#pragma once

#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/// A directory of its own for each test, removed at its end.
class ScratchDirectory
{
public:
  ScratchDirectory()
  {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("delassus_") + info->test_suite_name() +
                       "_" + info->name() + "_" + std::to_string(getpid());
    std::replace(name.begin(), name.end(), '/', '_');
    path = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }

  ~ScratchDirectory()
  {
    std::filesystem::remove_all(path);
  }

  std::string write(const std::string &name, const std::string &text) const
  {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
    return (path / name).string();
  }

  std::filesystem::path path;
};

/// A file without mistakes. Lines are replaced to make one.
inline const char *good_file = R"(# A small wall.
set Title     = Small wall
set Dimension = 2
set Gravity   = 0, -9.81

subsection Time
  set End  = 0.1
  set Step = 1e-3
end

subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end

subsection Body wall
  set Material = stone
  subsection Mesh
    set Type              = running bond wall
    set Size              = 0.1, 0.05
    set Cells             = 8 T3
    set Courses           = 4
    set Blocks per course = 3
  end
end

subsection Boundary condition push
  set Type       = velocity
  set Surfaces   = wall/left
  set Components = x
  set Value      = 0.1 * sin(2 * pi * t) * y
end

subsection Obstacle ground
  set Normal = 0, 2
end

subsection Contact law dry
  set Friction = 0.5
end

subsection Interaction joints
  set Candidates  = wall
  set Antagonists = wall
  set Law         = dry
end

subsection Interaction base
  set Candidates  = wall/bottom
  set Antagonists = ground
  set Law         = dry
end

subsection Contact solver
  set Tolerance = 1e-7
end

subsection Event rest
  set Trigger     = resultant
  set Interaction = base
  set Component   = y
  set Value       = 1
  set Unit        = weight
  set Actions     = write, zero velocity
end

subsection Probe top
  set Body  = wall
  set Point = 0.15, 0.2
end

subsection Output
  set Interval = 0.01
end
)";

/// The good file with the first @p from replaced by @p to.
inline std::string with(const std::string &from,
                        const std::string &to,
                        std::string text = good_file)
{
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << "no '" << from << "' in the file";
  return text.replace(place, from.size(), to);
}

/// The number of the line on which @p what first stands.
inline unsigned int line_of(const std::string &what, const std::string &text)
{
  const auto place = text.find(what);
  EXPECT_NE(place, std::string::npos);
  return 1 + std::count(text.begin(), text.begin() + place, '\n');
}

/// The message of the InputError that reading throws.
inline std::string
message_of(const std::string &file,
           const std::vector<std::string> &overrides          = {},
           const std::vector<delassus::RenamedEntry> &renamed = {})
{
  try
  {
    delassus::read_parameters(file, overrides, renamed);
  }
  catch (const delassus::InputError &e)
  {
    return e.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_parts(const std::string &message,
                         const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "'" << part << "' is missing in:\n"
        << message;
}
