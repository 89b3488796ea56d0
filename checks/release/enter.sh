# Runs a command in the new namespaces, where the system's folders are copies: writes are gone when it ends.
set -euo pipefail
layers=$(mktemp --directory)
mount -t tmpfs -o mode=0755 tmpfs "$layers"
for folder in etc var opt; do
  mkdir -p "$layers/$folder" "$layers/$folder.work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$layers/$folder,workdir=$layers/$folder.work" "/$folder"
done
# Node alone, where every user finds it, and without npm.
node=$1
cp "$(readlink -f "$node")" "$layers/node"
mount -t tmpfs -o mode=0755 tmpfs /usr/local
mkdir /usr/local/bin && mv "$layers/node" /usr/local/bin/node && chmod 0755 /usr/local/bin/node
mount -t tmpfs -o mode=0755 tmpfs /run
mkdir -p /run/postgresql && chown postgres:postgres /run/postgresql && chmod 2775 /run/postgresql
ip link set lo up
exec "$@"
