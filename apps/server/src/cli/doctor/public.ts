import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Settings } from '@fpay/contract/settings';
import type { Config } from '../../config/config.ts';
import { answerWithinMs, type Check, checksOf, reasonOf } from './check.ts';
import { clockCheck } from './database.ts';

const dayMs = 24 * 3_600_000;
const renewWithinDays = 14;
const protocol = 'ocpp1.6';

const remedies: Record<string, string> = {
  ENOTFOUND: 'The name does not resolve: make a DNS record for it.',
  ECONNREFUSED: 'Start the proxy and open its port in the firewall.',
  ETIMEDOUT: 'Open the port in the firewall.',
  CERT_HAS_EXPIRED: 'Renew the certificate at the proxy.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Chargers and browsers need a certificate of a public authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The proxy sends no intermediate certificates: give it the whole chain.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name: get one for this domain.',
};
const remedyOf = (error: unknown) =>
  remedies[String((error as NodeJS.ErrnoException).code)] ?? 'Check PUBLIC_URL, DNS, the firewall and the proxy.';

/** Node's own client, because fetch shows neither the certificate nor an upgrade. */
function send(url: URL, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string; validTo: string | null }>(
    (resolve, reject) => {
      const isTls = url.protocol === 'https:';
      const call = (isTls ? tlsRequest : plainRequest)(url, { headers, timeout: answerWithinMs });
      const certificate = (socket: unknown) =>
        isTls ? ((socket as TLSSocket).getPeerCertificate()?.valid_to ?? null) : null;
      call.once('response', (response) => {
        const validTo = certificate(response.socket);
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body, validTo }),
        );
      });
      call.once('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: 101, headers: response.headers, body: '', validTo: null });
      });
      call.once('timeout', () => call.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })));
      call.once('error', reject);
      call.end();
    },
  );
}

export async function checkPublicAddress({
  publicUrl,
  trustProxy,
  settings,
}: Pick<Config, 'publicUrl' | 'trustProxy' | 'settings'>): Promise<Check[]> {
  const { ok, warning, failed } = checksOf('public address');
  try {
    const { status, headers, body, validTo } = await send(new URL('/api/settings', publicUrl), {});
    if (status >= 502 && status <= 504)
      return [
        failed(`the proxy answers ${status}`, 'Start the server (npm run serve) and check its address at the proxy.'),
      ];
    const read = status === 200 ? Settings.safeParse(jsonOf(body)) : null;
    if (!read?.success)
      return [
        failed(
          `${publicUrl.host} answers ${status}, but not as this product`,
          'Point DNS and the proxy to this server.',
        ),
      ];
    const checks = [ok(`${publicUrl.origin} answers with version ${read.data.version}`)];
    if (read.data.version !== settings.version)
      checks.push(warning(`this is version ${settings.version}`, 'Restart the nodes with the same version.'));
    if (validTo !== null) checks.push(certificateCheck(validTo));
    const date = Date.parse(headers.date ?? '');
    if (!Number.isNaN(date) && Math.abs(date + 500 - Date.now()) > 1_500)
      checks.push(clockCheck('the public address', date + 500 - Date.now()));
    if (publicUrl.protocol === 'https:' && trustProxy.length === 0)
      checks.push(
        warning(
          'TRUST_PROXY is empty, so all drivers share the address and the limits of the proxy',
          "Set it to the proxy's address, for example 127.0.0.1.",
        ),
      );
    return checks;
  } catch (error) {
    return [failed(`${publicUrl.origin} does not answer: ${reasonOf(error)}`, remedyOf(error))];
  }

  function certificateCheck(validTo: string): Check {
    const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs);
    return days < renewWithinDays
      ? warning(`the certificate ends in ${days} days`, 'Renew it; a proxy that does it by itself has failed to.')
      : ok(`the certificate is valid for ${days} days`);
  }
}

/**
 * Connects like a charge point that the network does not know. The refusal repeats the sub-protocol that reached the
 * server, which shows what the proxy passed.
 */
export async function checkChargePointAddress({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Check[]> {
  const { ok, failed } = checksOf('charge points');
  const url = new URL('/ocpp/fpay-doctor', publicUrl);
  const address = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${url.host}/ocpp`;
  try {
    const { status, headers } = await send(url, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': protocol,
      authorization: `Basic ${Buffer.from('fpay-doctor:no key').toString('base64')}`,
    });
    if (status === 429) return [ok(`${address} takes charge points (asked too often just now)`)];
    const isOurs = status === 401 && String(headers['www-authenticate']).includes('realm="ocpp"');
    if (!isOurs)
      return [
        failed(
          `${address} answers ${status} to a WebSocket`,
          'The proxy must pass the Upgrade header for /ocpp/ to a node with the role gateway.',
        ),
      ];
    if (headers['sec-websocket-protocol'] !== protocol)
      return [
        failed(
          `the sub-protocol ${protocol} does not reach the server`,
          'The proxy must pass the header Sec-WebSocket-Protocol; chargers close the connection without it.',
        ),
      ];
    return [ok(`${address} takes charge points with ${protocol}`)];
  } catch (error) {
    return [failed(`${address} does not answer: ${reasonOf(error)}`, remedyOf(error))];
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
