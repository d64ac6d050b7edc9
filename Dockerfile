# docker build -t portolan .
# docker run -p 3000:3000 -v portolan:/data -e BASE_URL=https://portolan.example.com -e TRUST_PROXY=on portolan
# docker run --rm -v portolan:/data portolan doctor
# BASE_URL has to be given: it listens on all addresses here, and answers to the name in BASE_URL only. Put TLS in front.
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json README.md LICENSE ./
# Node 24 is in the image: bootstrap/node24, whose packages bring it to other machines, is not there yet.
RUN npm ci
COPY domain ./domain
COPY application ./application
COPY infrastructure ./infrastructure
COPY adapters ./adapters
COPY bootstrap ./bootstrap
# What the package has for the tests of others.
COPY test/contracts ./test/contracts
COPY test/doubles ./test/doubles
COPY test/kit ./test/kit
RUN npm run build
# Only what runs: no suites for the tests of others, no types, source maps and sources, no programs for other platforms.
WORKDIR /app/package
RUN cp ../.npmrc . && npm ci && node ../bootstrap/build/image-sbom.ts && rm .npmrc package-lock.json README.md \
  && chmod +x dist/bin.mjs && rm -r dist/contract-bin.mjs dist/contracts dist/kit dist/testing.js \
  && cd node_modules && rm -r .package-lock.json better-sqlite3/deps better-sqlite3/src zod/src \
  && find better-sqlite3/prebuilds -type f ! -name "linux-$(node --print process.arch).node" -delete \
  && find /app/package -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

# Runs the package: a start from the sources takes twice as long, and 50 MB more.
FROM ${NODE_IMAGE}
ARG VERSION=0.2.0
ARG REVISION=
LABEL org.opencontainers.image.title="Portolan" \
  org.opencontainers.image.description="A self-hosted MCP server" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# /notes and /templates are for folders that several servers share (docs/scaling.md). Members of group 0 may write, as which
# some platforms run a container under a user of their own.
RUN ln -s /app/dist/bin.mjs /usr/local/bin/portolan && install -d -o node -g root -m 770 /data /notes /templates
COPY --from=build /app/package ./
# By its number, so that an orchestrator sees that it is not root.
USER 1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/healthz' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# A command of `portolan` may follow; without one the server starts. Semi-spaces of 4 MB for V8 in place of 16: 30 MB less resident.
ENTRYPOINT ["node", "--max-semi-space-size=4", "/app/dist/bin.mjs"]
