import { constants, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Logger } from 'pino';
import { refuseUpgrade } from './handshake.ts';

/** Files in PEM format. Without a client authority no certificate is requested, and profile 3 cannot be used. */
export interface TlsFiles {
  certificate: string;
  key: string;
  clientAuthority: string | null;
}

export interface TlsEndpointOptions {
  host: string;
  port: number;
  files: TlsFiles;
  log: Logger;
  /** True when the address is a charge point's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/** The charge points' own TLS port. */
export interface TlsEndpoint {
  start(): Promise<{ port: number }>;
  /** Uses files that have changed for connections from now on. Faulty ones are logged, and the old ones stay. */
  reload(): void;
  stop(): Promise<void>;
}

/** Certificates are renewed by other programs, which replace the files. */
const reloadEveryMs = 60_000;
const handshakeTimeoutMs = 20_000;

/**
 * A connection without a valid certificate is not refused in the handshake, because only the request names the device:
 * the admission refuses it and records the reason.
 */
export function createTlsEndpoint({ host, port, files, log, handleUpgrade }: TlsEndpointOptions): TlsEndpoint {
  let used = readTlsFiles(files);
  let timer: NodeJS.Timeout | null = null;
  const server = createServer(
    {
      ...contextOf(used),
      requestCert: files.clientAuthority !== null,
      rejectUnauthorized: false,
      handshakeTimeout: handshakeTimeoutMs,
      headersTimeout: handshakeTimeoutMs,
      requestTimeout: handshakeTimeoutMs,
    },
    (_request, response) => response.writeHead(404, { connection: 'close' }).end(),
  );
  server.on('upgrade', (request, socket, head) => {
    if (!handleUpgrade(request, socket, head)) refuseUpgrade(socket, '404 Not Found');
  });
  server.on('tlsClientError', (error, socket) => {
    log.debug({ err: error, address: socket.remoteAddress }, 'handshake failed');
    socket.destroy();
  });

  function reload(): void {
    try {
      const fresh = readTlsFiles(files);
      if (Object.values(fresh).join() === Object.values(used).join()) return;
      server.setSecureContext(contextOf(fresh));
      used = fresh;
      log.info({ expiresAt: expiryOf(fresh) }, 'certificate reloaded');
    } catch (error) {
      log.error({ err: error }, 'certificate unusable');
    }
  }

  return {
    reload,
    async start() {
      server.listen(port, host);
      await once(server, 'listening');
      timer = setInterval(reload, reloadEveryMs).unref();
      const address = server.address() as AddressInfo;
      log.info({ port: address.port, expiresAt: expiryOf(used) }, 'charge-point TLS started');
      return { port: address.port };
    },
    async stop() {
      if (timer) clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface TlsContent {
  cert: string;
  key: string;
  ca: string | null;
}

function readTlsFiles({ certificate, key, clientAuthority }: TlsFiles): TlsContent {
  const read = (file: string) => readFileSync(file, 'utf8');
  return {
    cert: read(certificate),
    key: read(key),
    ca: clientAuthority === null ? null : read(clientAuthority),
  };
}

/**
 * A resumed session would carry the result of the first check of its certificate, so none is resumed. Many charge points
 * know only TLS 1.2.
 */
const contextOf = ({ cert, key, ca }: TlsContent): SecureContextOptions => ({
  cert,
  key,
  ...(ca !== null && { ca }),
  minVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_TICKET,
});

const expiryOf = ({ cert }: TlsContent) => new X509Certificate(cert).validToDate.toISOString();

/** What is wrong with the files, as a sentence; null when they can be used. */
export function tlsFilesProblem(files: TlsFiles): string | null {
  try {
    const content = readTlsFiles(files);
    createSecureContext(contextOf(content));
    if (content.ca !== null) new X509Certificate(content.ca);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
