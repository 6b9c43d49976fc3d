const encoder = new TextEncoder();

export async function sha256Hex(text: string): Promise<string> {
  const bytes = encoder.encode(text);
  const hash = crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : (await import('./plain-sha256.ts')).sha256(bytes);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function hmacSha256(key: string, text: string): Promise<string> {
  if (!crypto.subtle) {
    const { hmac } = await import('./plain-sha256.ts');
    return base64Url(hmac(encoder.encode(key), encoder.encode(text)));
  }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return base64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))));
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
