# shellcheck shell=bash
# Shared by ridge, test and .ci/run: what is missing is installed, what is stale is built. Everything that these functions
# say goes to standard error; standard output belongs to the program.
#
# The caller sets `root`, the folder of the checkout, and runs under `set -u`.
: "${root:?}"

say() { printf 'ridge: %s\n' "$*" >&2; }

die() {
  say "$1"
  shift
  if (($# > 0)); then printf '  %s\n' "$@" >&2; fi
  exit 3
}

# read_list FILE: the package names in it, one a line; # begins a comment.
read_list() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$1"; }

# missing_of PACKAGE...: those that dpkg does not know as installed.
missing_of() {
  local installed
  # shellcheck disable=SC2016 # the fields are dpkg-query's own
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p')
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# apt ARGUMENT...: apt-get as root, without questions. sudo drops the environment, so a proxy goes along as an option.
apt() {
  local become=() options=(-o DPkg::Lock::Timeout=300 -o APT::Color=0)
  if ((EUID != 0)); then become=(sudo); fi
  if [[ -n ${http_proxy:-${HTTP_PROXY:-}} ]]; then options+=(-o "Acquire::http::Proxy=${http_proxy:-${HTTP_PROXY:-}}"); fi
  if [[ -n ${https_proxy:-${HTTPS_PROXY:-}} ]]; then options+=(-o "Acquire::https::Proxy=${https_proxy:-${HTTPS_PROXY:-}}"); fi
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "${options[@]}" "$@"
}

# install_packages FILE: installs the packages of the list that are missing; the lists of apt are renewed only where the
# first attempt needs it.
install_packages() {
  local list=$1 log=$root/build/install.log packages missing
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is no Debian system: the packages of ${list##*/} are taken as installed"
    return
  fi
  mapfile -t packages < <(read_list "$list")
  mapfile -t missing < <(missing_of "${packages[@]}")
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    die "these packages are missing and you are neither root nor have sudo: ${missing[*]}" \
      "Ask for: apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  mkdir -p "${log%/*}"
  if apt install --no-install-recommends "${missing[@]}" >"$log" 2>&1; then return; fi
  say "renewing the package lists"
  if apt update >>"$log" 2>&1 && apt install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then return; fi
  grep -E '^(E|W|Err|sudo):' "$log" | tail -n 8 >&2
  die "the packages could not be installed: ${missing[*]}" \
    "The whole output is in $log. Is there a network, does it need http_proxy, may you use sudo?"
}

# As many compilers as there are processors, but one per 800 MB: the largest translation units need that much.
jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 800000) }' /proc/meminfo)
  if ((memory < 1)); then memory=1; fi
  echo $((memory < processors ? memory : processors))
}

# configure PRESET: writes the build folder where there is none, or where RIDGE_SHARED changed since.
configure() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log cached arguments=()
  if [[ -f $folder/build.ninja ]]; then
    cached=$(sed -n 's/^RIDGE_SHARED:PATH=//p' "$folder/CMakeCache.txt")
    if [[ -z ${RIDGE_SHARED:-} || $RIDGE_SHARED == "$cached" ]]; then return; fi
  fi
  if [[ -n ${RIDGE_SHARED:-} ]]; then arguments=("-DRIDGE_SHARED=$RIDGE_SHARED"); fi
  (cd "$root" && cmake --preset "$preset" "${arguments[@]}") >"$log" 2>&1 && return
  tail -n 15 "$log" >&2
  die "the $preset build could not be configured" "The whole output is in $log."
}

# build PRESET TARGET...: on a terminal the progress is shown, else only what failed.
build() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log command
  shift
  mkdir -p "$folder" || die "$folder cannot be made" "Run this once as the owner of the checkout."
  if command -v flock >/dev/null; then
    exec 8>"$folder.lock"
    flock 8 # another call may be building the same thing
  fi
  : >"$folder/began" # its time becomes the stamp's: a source saved during the build counts as newer
  configure "$preset"
  command=(cmake --build "$folder" --parallel "$(jobs)" --target "$@")
  if [[ -t 2 ]]; then
    "${command[@]}" >&2 || die "the $preset build failed"
  else
    say "building ($preset); the first time takes minutes"
    if ! "${command[@]}" >"$log" 2>&1; then
      grep -E -A 5 'error|FAILED|undefined' "$log" | head -n 40 >&2
      die "the $preset build failed" "The whole output is in $log."
    fi
  fi
  mv "$folder/began" "$folder/ridge.stamp"
  exec 8>&-
}

# run_tests PRESET [CTEST ARGUMENT...]: all tests, then what was skipped and why, and the count as the last line.
run_tests() {
  local preset=$1 log=$root/build/$1.tests.log details=$root/build/$1/Testing/Temporary/LastTest.log skipped status
  shift
  (cd "$root" && ctest --preset "$preset" --parallel "$(jobs)" "$@") 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  skipped=$(grep -c '\*\*\*Skipped' "$log")
  if ((skipped > 0)); then
    printf '\n%s tests were skipped (listed above), because of:\n' "$skipped"
    awk '/: Skipped$/ { getline; count[$0]++ } END { for (reason in count) printf "%6d  %s\n", count[reason], reason }' "$details" | sort -rn
    printf 'RIDGE_SHARED names the folder of files that are not part of the project; ../shared beside the checkout is found by itself.\n'
  fi
  grep -E '^[0-9]+% tests passed' "$log"
  return "$status"
}
