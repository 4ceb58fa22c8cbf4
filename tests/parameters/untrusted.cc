// Parameter files that somebody else has written, or that are none.
#include "good_file.h"

#include <sys/stat.h>

#include <chrono>

using namespace delassus;

namespace
{
/// A file of @p n lines.
std::string repeated(const std::string &line, const std::size_t n)
{
  std::string text;
  for (std::size_t i = 0; i < n; ++i)
    text += line;
  return text;
}
} // namespace

TEST(UntrustedParameters, BytesThatAreNotUtf8)
{
  const ScratchDirectory scratch;
  expect_parts(message_of(scratch.write(
                   "latin.prm", with("Small wall", "W\xE4nde of stone"))),
               { "latin.prm:2:", "byte 18 ", "0xE4", "UTF-8" });
  for (const std::string bad : { "\xC0\xAF",         // longer than needed
                                 "\xED\xA0\x80",     // half a pair of UTF-16
                                 "\xF5\x80\x80\x80", // beyond the last one
                                 "\xE2\x82" })       // cut off
    expect_parts(message_of(scratch.write("bad.prm", with("Small wall", bad))),
                 { "bad.prm:2:", "byte 17 " });
  expect_parts(message_of(scratch.write(
                   "zero.prm", with("Small wall", std::string("a\0b", 3)))),
               { "zero.prm:2:", "byte 18 ", "0x00", "control" });
  const std::string good = "W\xC3\xA4nde \xE2\x82\xAC \xF0\x9F\xA7\xB1";
  EXPECT_EQ(
      read_parameters(scratch.write("good.prm", with("Small wall", good)), {})
          .values.title,
      good);
  expect_parts(
      message_of(scratch.write("wall.prm", good_file), { "Title=W\xE4nde" }),
      { "--set", "W\\xE4nde", "UTF-8" });
  expect_parts(message_of(scratch.write("a.json", "{\"Title\": \"\xE4\"}")),
               { "a.json:1:", "UTF-8" });
}

TEST(UntrustedParameters, LinesOfOtherFilesAreNotQuoted)
{
  const ScratchDirectory scratch;
  const std::string secret = "root:$y$j9T$secret:19000:0:99999:7:::\n";
  for (const auto &file :
       { scratch.write("secret", secret),
         scratch.write("secret.prm", secret),
         scratch.write("secret.json", secret),
         scratch.write("wall.prm", with("set Title", "include secret\n#")),
         scratch.write("room.prm",
                       with("set Title", "include secret.prm\n#")) })
  {
    const std::string message = message_of(file);
    EXPECT_FALSE(message.empty()) << file;
    EXPECT_EQ(message.find("j9T"), std::string::npos) << message;
  }
}

TEST(UntrustedParameters, PipesAndDevices)
{
  const ScratchDirectory scratch;
  const std::string pipe = (scratch.path / "pipe.prm").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_parts(message_of(pipe), { "pipe.prm", "a pipe" });
  const std::string device = (scratch.path / "zero.json").string();
  std::filesystem::create_symlink("/dev/zero", device);
  expect_parts(message_of(device), { "zero.json", "a device" });
  expect_parts(message_of(scratch.write(
                   "wall.prm", with("set Title", "include pipe.prm\n#"))),
               { "wall.prm:2:", "pipe.prm", "a pipe" });
}

TEST(UntrustedParameters, HugeAndDeepFilesAreRefusedAtOnce)
{
  const ScratchDirectory scratch;
  const auto begin = std::chrono::steady_clock::now();
  expect_parts(
      message_of(scratch.write("nest.prm", repeated("subsection a\n", 200000))),
      { "nest.prm:11:", "more than 10 deep" });
  expect_parts(
      message_of(scratch.write("nest.json", repeated("{\"a\":", 200000))),
      { "nest.json:1:", "more than 10 deep" });
  expect_parts(message_of(scratch.write("list.json", repeated("[", 200000))),
               { "list.json:1:" });
  expect_parts(
      message_of(scratch.write("big.prm", repeated("# comment\n", 500000))),
      { "big.prm", "more than 4 MB" });
  expect_parts(
      message_of(scratch.write(
          "big.json", "{\"Title\": \"" + std::string(5000000, 'x') + "\"}")),
      { "big.json", "more than 4 MB" });
  // Mistakes without end: the first ones are told.
  expect_parts(
      message_of(scratch.write("many.prm", repeated("set x = 1\n", 300000))),
      { "100 mistakes", "many.prm:1:" });
  std::string sections;
  for (unsigned int i = 0; i < 100000; ++i)
    sections += "subsection Body b" + std::to_string(i) + "\nend\n";
  expect_parts(message_of(scratch.write("bodies.prm", sections)),
               { "more than 10000 sections 'Body NAME'" });
  // Each file includes the next one ten times.
  for (unsigned int i = 0; i < 12; ++i)
    scratch.write(
        "bomb" + std::to_string(i) + ".prm",
        repeated("include bomb" + std::to_string(i + 1) + ".prm\n", 10));
  scratch.write("bomb12.prm", repeated("# nothing\n", 100));
  expect_parts(message_of((scratch.path / "bomb0.prm").string()),
               { "together", "4 MB" });
  for (unsigned int i = 0; i < 30; ++i)
    scratch.write("chain" + std::to_string(i) + ".prm",
                  "include chain" + std::to_string(i + 1) + ".prm\n");
  expect_parts(message_of((scratch.path / "chain0.prm").string()),
               { "chain19.prm:1:", "more than 20 deep" });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(UntrustedParameters, StepsLostInTheRoundingOfTime)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write("wall.prm", good_file);
  expect_parts(
      message_of(file, { "Time/Start=1e16", "Time/End=10000000000000002" }),
      { "'Step' = '1e-3'", "1e16", "rounding", "allowed" });
  expect_parts(message_of(file, { "Time/Start=-1e9", "Time/End=-999999999" }),
               { "'Step' = '1e-3'", "rounding" });
  EXPECT_NO_THROW(
      read_parameters(file, { "Time/Start=1000", "Time/End=1000.1" }));
}

TEST(UntrustedParameters, AllowedScriptsAreSaid)
{
  const ScratchDirectory scratch;
  scratch.write("wall.geo", "");
  scratch.write("wall.msh", "");
  const std::string mesh = R"(set Type = file
    set File = wall.geo
    set Allow scripts = true)";
  std::string text       = good_file;
  const auto begin       = text.find("  subsection Mesh\n") + 18;
  text.replace(begin, text.find("  end\n", begin) - begin, mesh + "\n");
  const auto parameters = read_parameters(scratch.write("wall.prm", text), {});
  EXPECT_TRUE(parameters.values.bodies[0].mesh.allow_scripts);
  ASSERT_EQ(parameters.warnings.size(), 1u);
  expect_parts(parameters.warnings[0],
               { "section 'Body wall/Mesh'", "start programs" });
  expect_parts(message_of((scratch.path / "wall.prm").string(),
                          { "Body wall/Mesh/File=" +
                            (scratch.path / "wall.msh").string() }),
               { "'Allow scripts' = 'true'", "it is for .geo scripts" });
}
