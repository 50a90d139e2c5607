#!/bin/sh
# Makes the base images of a build where no image registry can be reached, from packages of Debian and npm, as root:
#   sh tools/test/images/make-base-images.sh <folder> [<name>...]
# writes <folder>/<name>.tar, for `docker import`, unless it is there. The names: `build` (BUILD_IMAGE), `runtime`
# (RUNTIME_IMAGE: Node without a shell), `backends` (PostgreSQL, Redis, RabbitMQ, and the S3 servers that MINIO_PROGRAM and
# VERSITYGW_PROGRAM name, for the compose file).
set -eu
folder=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
work=$(mktemp -d "$folder/work-XXXXXX")
trap 'rm -rf "$work"' EXIT

mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $release" | head -n 1
}
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
node=$(node --print process.execPath)
certificates=/etc/ssl/certs/ca-certificates.crt

# debian <packages>: a file system with apt
debian() {
  debootstrap --variant=minbase --include="$1" "$release" "$work/root" "$(mirror)" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; exit 1; }
  rm -rf "$work/root/var/cache/apt/archives" "$work/root/var/lib/apt/lists"
  mkdir -p "$work/root/var/cache/apt/archives/partial"
  cp "$certificates" "$work/root$certificates"
}

# packages <packages>: their files alone
packages() {
  mkdir -p "$work/packages" "$work/root"
  (cd "$work/packages" && apt-get download "$@" >/dev/null)
  for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$work/root"; done
  rm -rf "$work/packages" "$work/root/usr/share/doc" "$work/root/usr/share/man"
}

make_build() {
  debian ca-certificates,libstdc++6,xz-utils
  install -D "$node" "$work/root/usr/local/bin/node"
  version=$(node --print 'require(process.argv[1]).packageManager' "$here/../../../package.json")
  modules="$work/root/usr/local/lib/node_modules"
  mkdir -p "$modules"
  archive=$(cd "$work" && npm pack --silent "$version")
  tar -xzf "$work/$archive" -C "$modules"
  mv "$modules/package" "$modules/npm"
  for program in npm npx; do
    chmod +x "$modules/npm/bin/$program-cli.js"
    ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$work/root/usr/local/bin/$program"
  done
}

make_runtime() {
  packages base-files libc6 libgcc-s1 libstdc++6 netbase tzdata
  install -D "$node" "$work/root/nodejs/bin/node"
  install -D "$certificates" "$work/root$certificates"
  mkdir -p "$work/root/etc" "$work/root/home/nonroot"
  echo 'root:x:0:0:root:/root:/sbin/nologin
nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' >"$work/root/etc/passwd"
  echo 'root:x:0:
nonroot:x:65532:' >"$work/root/etc/group"
}

make_backends() {
  debian ca-certificates,curl,wget,postgresql,redis-server,rabbitmq-server
  install "$here/backends-entrypoint.sh" "$work/root/usr/local/bin/entrypoint"
  [ -z "${MINIO_PROGRAM:-}" ] || install "$MINIO_PROGRAM" "$work/root/usr/local/bin/minio"
  [ -z "${VERSITYGW_PROGRAM:-}" ] || install "$VERSITYGW_PROGRAM" "$work/root/usr/local/bin/versitygw"
}

for name in ${*:-build runtime}; do
  [ -s "$folder/$name.tar" ] && continue
  rm -rf "$work/root"
  "make_$name"
  tar --create --numeric-owner --file "$work/$name.tar" --directory "$work/root" .
  mv "$work/$name.tar" "$folder/$name.tar"
done
