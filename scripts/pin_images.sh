#!/bin/sh
# Write the digests that the images of others have now into docker-compose.override.yml, which Compose reads by itself:
# from then on, everybody who has that file builds and runs the same bytes. Run it again to take newer ones.
#
#   sh scripts/pin_images.sh
#
# Needs Docker with buildx, and the registry. It asks for the images that docker-compose.yml and the Dockerfile name.
set -eu
cd "$(dirname "$0")/.."
file=docker-compose.override.yml
draft=$(mktemp)
trap 'rm -f "$draft"' EXIT

# NAME:TAG@DIGEST of what a name stands for now. A digest is never guessed: without an answer, nothing is written.
pinned() {
    digest=$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')
    case $digest in
        sha256:????????????????????????????????????????????????????????????????) printf '%s@%s' "$1" "$digest" ;;
        *)
            echo "The registry gave no digest for $1." >&2
            exit 1
            ;;
    esac
}

python=$(pinned "$(sed -n 's/^ARG PYTHON_IMAGE=//p' Dockerfile)")
caddy=$(pinned "$(sed -n 's/^ARG CADDY_IMAGE=//p' Dockerfile)")
db=$(pinned "$(sed -n 's/^    image: \(postgres:.*\)/\1/p' docker-compose.yml)")
redis=$(pinned "$(sed -n 's/^    image: \(redis:.*\)/\1/p' docker-compose.yml)")
{
    echo '---'
    echo '# Written by scripts/pin_images.sh: the images of others by their digests.'
    echo 'services:'
    echo "  front: {build: {args: {CADDY_IMAGE: \"$caddy\"}}}"
    for service in migrate web worker beat; do
        echo "  $service: {build: {args: {PYTHON_IMAGE: \"$python\"}}}"
    done
    echo "  db: {image: \"$db\"}"
    echo "  redis: {image: \"$redis\"}"
} >"$draft"
cp "$draft" "$file"
echo "$file has the digests of four images. Build again: docker compose build --pull"
