#!/bin/sh
# Makes the base images of a build where no image registry can be reached, from packages of Debian and npm, as root:
#   sh tools/test/images/make-base-images.sh <images> [<name>...]
# writes <images>/<name>.tar, for `docker import`, unless it is there. The names: `build` (BUILD_IMAGE), `runtime`
# (RUNTIME_IMAGE: Node without a shell), `backends` (PostgreSQL, Redis, RabbitMQ, and the S3 servers that MINIO_PROGRAM and
# VERSITYGW_PROGRAM name, for the compose file).
set -eu
images=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$images"
folder=$(mktemp -d "$images/unfinished-XXXXXX")
trap 'rm -rf "$folder"' EXIT

mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $release" | head -n 1
}
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
node=$(node --print process.execPath)
certificates=/etc/ssl/certs/ca-certificates.crt

# debian <packages>: a file system with apt
debian() {
  debootstrap --variant=minbase --include="$1" "$release" "$folder/rootfs" "$(mirror)" >"$folder/log" 2>&1 ||
    { tail -n 20 "$folder/log" >&2; exit 1; }
  rm -rf "$folder/rootfs/var/cache/apt/archives" "$folder/rootfs/var/lib/apt/lists"
  mkdir -p "$folder/rootfs/var/cache/apt/archives/partial"
  cp "$certificates" "$folder/rootfs$certificates"
}

# packages <packages>: their files alone
packages() {
  mkdir -p "$folder/packages" "$folder/rootfs"
  (cd "$folder/packages" && apt-get download "$@" >/dev/null)
  for package in "$folder"/packages/*.deb; do dpkg-deb --extract "$package" "$folder/rootfs"; done
  rm -rf "$folder/packages" "$folder/rootfs/usr/share/doc" "$folder/rootfs/usr/share/man"
}

make_build() {
  debian ca-certificates,libstdc++6,xz-utils
  install -D "$node" "$folder/rootfs/usr/local/bin/node"
  version=$(node --print 'require(process.argv[1]).packageManager' "$here/../../../package.json")
  modules="$folder/rootfs/usr/local/lib/node_modules"
  mkdir -p "$modules"
  archive=$(cd "$folder" && npm pack --silent "$version")
  tar -xzf "$folder/$archive" -C "$modules"
  mv "$modules/package" "$modules/npm"
  for program in npm npx; do
    chmod +x "$modules/npm/bin/$program-cli.js"
    ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$folder/rootfs/usr/local/bin/$program"
  done
}

make_runtime() {
  packages base-files libc6 libgcc-s1 libstdc++6 netbase tzdata
  install -D "$node" "$folder/rootfs/nodejs/bin/node"
  install -D "$certificates" "$folder/rootfs$certificates"
  mkdir -p "$folder/rootfs/etc" "$folder/rootfs/home/nonroot"
  echo 'root:x:0:0:root:/root:/sbin/nologin
nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' >"$folder/rootfs/etc/passwd"
  echo 'root:x:0:
nonroot:x:65532:' >"$folder/rootfs/etc/group"
}

make_backends() {
  debian ca-certificates,curl,wget,postgresql,redis-server,rabbitmq-server
  install "$here/backends-entrypoint.sh" "$folder/rootfs/usr/local/bin/entrypoint"
  [ -z "${MINIO_PROGRAM:-}" ] || install "$MINIO_PROGRAM" "$folder/rootfs/usr/local/bin/minio"
  [ -z "${VERSITYGW_PROGRAM:-}" ] || install "$VERSITYGW_PROGRAM" "$folder/rootfs/usr/local/bin/versitygw"
}

for name in ${*:-build runtime}; do
  [ -s "$images/$name.tar" ] && continue
  rm -rf "$folder/rootfs"
  "make_$name"
  tar --create --numeric-owner --file "$folder/$name.tar" --directory "$folder/rootfs" .
  mv "$folder/$name.tar" "$images/$name.tar"
done
