# Builds the service, then keeps what it needs to run.
FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
# Without scripts: that of the project generates files from sources that are not here yet. The build does it too.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
LABEL org.opencontainers.image.title="Lotkeeper" \
      org.opencontainers.image.description="Traceability data provider service for FSMA 204" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/lotkeeper
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY examples ./examples
# The folder belongs to the user of the process before it becomes a volume: a new volume takes over its owner.
RUN install -d -o node -g node -m 700 /var/lib/lotkeeper
USER node
VOLUME /var/lib/lotkeeper
EXPOSE 3000
# The first start of an embedded database takes some seconds.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--use-largepages=silent", "dist/cli/main.js", "serve"]
