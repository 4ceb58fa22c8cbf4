// The parameter files that come with the program are as they should be.
#include "run_program.h"

namespace
{
using namespace test;

class Examples : public Program
{
protected:
  /// check passes and has nothing to remark.
  void check_folder(const std::string &name) const
  {
    unsigned int n = 0;
    for (const auto &file :
         fs::directory_iterator(std::string(DELASSUS_SOURCE_DIR "/") + name))
      if (file.path().extension() == ".prm")
      {
        ++n;
        const auto outcome =
            run("check '" + file.path().string() + "' --output checked");
        EXPECT_EQ(outcome.exit_code, 0) << file.path() << outcome.error;
        // Reference problems may ask for elements that are thicker than wide.
        const auto text = outcome.out + outcome.error;
        const bool is_thick =
            file.path().filename().string().find("shell_") == 0 &&
            text.find("than wide") != std::string::npos;
        EXPECT_EQ(count(text, "warning"), is_thick ? 1u : 0u)
            << file.path() << "\n"
            << outcome.out << outcome.error;
      }
    EXPECT_GT(n, 5u);
  }
};

TEST_F(Examples, RaiseNoWarning)
{
  check_folder("parameter_files");
}

TEST_F(Examples, OfVerificationRaiseNoWarning)
{
  check_folder("parameter_files/verification");
}

TEST_F(Examples, AreListedInTheReadme)
{
  const std::string readme = read(DELASSUS_SOURCE_DIR "/README.md");
  for (const auto &file :
       fs::directory_iterator(DELASSUS_SOURCE_DIR "/parameter_files"))
    if (file.path().extension() == ".prm")
      expect_parts(readme, { "| `" + file.path().filename().string() + "` |" });
}
} // namespace
