# The static program of a release. Homebrew on Linux only: the sandbox needs it.
class Assay < Formula
  desc "Find out whether the SQL of a language model is right, and why not"
  homepage "https://example.org/assay" # where the project is published
  version "0.2.0"
  license "Apache-2.0"
  depends_on :linux

  # From SHA256SUMS of the release.
  on_intel do
    url "#{homepage}/releases/download/v#{version}/assay-#{version}-linux-x86_64"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end
  on_arm do
    url "#{homepage}/releases/download/v#{version}/assay-#{version}-linux-aarch64"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end

  def install
    bin.install Dir["assay-*"].first => "assay"
    (bash_completion/"assay").write Utils.safe_popen_read(bin/"assay", "help", "completion")
    (zsh_completion/"_assay").write Utils.safe_popen_read(bin/"assay", "help", "completion-zsh")
    (fish_completion/"assay.fish").write Utils.safe_popen_read(bin/"assay", "help", "completion-fish")
    (man1/"assay.1").write Utils.safe_popen_read(bin/"assay", "help", "man")
  end

  test do
    (testpath/"t.sql").write "CREATE TABLE t(a INTEGER PRIMARY KEY);"
    assert_match "equivalent",
      shell_output("#{bin}/assay check --schema t.sql 'SELECT count(a) FROM t' 'SELECT count(*) FROM t'")
  end
end
