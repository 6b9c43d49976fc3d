import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PemPair {
  cert: string;
  key: string;
}

/** An authority that issues real certificates with openssl, in a folder of its own. */
export function createAuthority(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fpay-certificates-'));
  const file = (part: string) => join(folder, part);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', `/CN=${name}`);
  let issued = 0;

  function issue(subject: string, { days = 30, names = '' } = {}): PemPair {
    issued += 1;
    const [key, request, cert] = [`${issued}.key`, `${issued}.csr`, `${issued}.pem`];
    openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', subject);
    const extensions = names === '' ? [] : ['-extfile', file('names')];
    if (names !== '') writeFileSync(file('names'), `subjectAltName=${names}\n`);
    const signedBy = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
    openssl('x509', '-req', '-in', request, ...signedBy, '-days', String(days), ...extensions, '-out', cert);
    return { cert: readFileSync(file(cert), 'utf8'), key: readFileSync(file(key), 'utf8') };
  }

  return {
    cert: readFileSync(file('ca.pem'), 'utf8'),
    /** A certificate for a device of this identity; with 0 days it expires within a second. */
    device: (identity: string, options: { days?: number } = {}) => issue(`/O=FPay/CN=${identity}`, options),
    server: () => issue('/CN=localhost', { names: 'DNS:localhost,IP:127.0.0.1' }),
    issue,
    /** Writes a text beside the certificates and returns its path. */
    write(part: string, text: string): string {
      writeFileSync(file(part), text);
      return file(part);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
