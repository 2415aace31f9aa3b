# The service on Node 24 and Debian slim, run by a user of its own. The build stage is not shipped.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
COPY scripts scripts
COPY client client
COPY dashboard dashboard
RUN node scripts/build-dashboard.mjs
COPY tsconfig.json ./
COPY docs/openapi.json docs/openapi.json
COPY src src
COPY migrations migrations
# What only the build needs is not shipped.
RUN node scripts/prepare.mjs && rm -rf node_modules/typescript7 node_modules/@typescript node_modules/@types \
    node_modules/esbuild node_modules/@esbuild

FROM node:24-bookworm-slim
# bubblewrap is the strongest sandbox for MCP servers, tini reaps their orphans, python3 runs Python servers, and curl asks
# for the health.
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap curl tini python3 python3-venv pipx \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/dashboard/dist dashboard/dist
COPY package.json package-lock.json ./
COPY scripts scripts
# Messages name these pages.
COPY docs/*.md docs/
RUN useradd --system --uid 10001 --home-dir /data awp && install -d -o awp -g awp -m 0700 /data /backups /rings
USER awp
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# The first start of a version migrates the database, before the process listens.
HEALTHCHECK --interval=10s --timeout=5s --start-period=600s CMD ["sh", "scripts/alive.sh"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=32", "dist/src/main.js"]
