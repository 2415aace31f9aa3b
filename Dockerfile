# The service on Node 24 and Debian slim, as npm installs its package, run by a user of its own. The build stage is not shipped.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
COPY scripts scripts
COPY client client
COPY dashboard dashboard
RUN node scripts/build-dashboard.mjs
COPY tsconfig.json README.md LICENSE CHANGELOG.md .env.example ./
COPY docs/openapi.json docs/*.md docs/
COPY src src
COPY migrations migrations
RUN node scripts/package.mjs /packed agent-work-platform
# The package names the version and checksum of all that it needs (npm-shrinkwrap.json). The last two steps list them for those who
# look for vulnerable ones, and make links that the user of the service could not make.
WORKDIR /app
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /packed/agent-work-platform-*.tgz \
 && npm sbom --sbom-format cyclonedx --omit dev > sbom.cdx.json \
 && node_modules/.bin/awp setup

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Agent Work Platform" \
      org.opencontainers.image.description="A trustworthy place for the work of software agents, and a safe way to give them MCP tools" \
      org.opencontainers.image.licenses="Apache-2.0"
# bubblewrap is the strongest sandbox for MCP servers, tini reaps their orphans, python3 runs Python servers, and curl asks
# for the health.
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap curl tini python3 python3-venv pipx \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app ./
# Commands of the package, such as `awp doctor`, are found by their name.
RUN ln -s /app/node_modules/.bin/awp /usr/local/bin/awp \
 && useradd --system --uid 10001 --home-dir /data awp && install -d -o awp -g awp -m 0700 /data /backups /rings
USER awp
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# The first start of a version migrates the database, before the process listens.
HEALTHCHECK --interval=10s --timeout=5s --start-period=600s CMD ["sh", "/app/node_modules/agent-work-platform/scripts/alive.sh"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=32", "/app/node_modules/.bin/awp", "start"]
