import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Says before anything is installed whether the demo can run on this system. Plain JavaScript, because Windows has no sh
 * and an older Node does not read TypeScript.
 */

const windows = [
  'FPay does not run on Windows itself, but it runs in WSL 2:',
  '  1. wsl --install           (in PowerShell, once; then open the new Linux terminal)',
  '  2. git clone ... ~/fpay    (inside Linux, not below /mnt/c)',
  '  3. cd ~/fpay && npm start',
].join('\n');

const ownDatabase = 'Run a PostgreSQL 15 or newer yourself and name it: DATABASE_URL=postgres://... npm start';
const withDatabase = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];

/** Returns what is wrong and what to do, or null. */
export function systemProblem({ platform, arch, kernel, folder, dataDir, isMusl, hasDatabase }) {
  if (platform === 'win32') return windows;
  // WSL 1 reports a kernel such as 4.4.0-19041-Microsoft, WSL 2 one such as 5.15.167.4-microsoft-standard-WSL2.
  const isWsl = platform === 'linux' && /microsoft/i.test(kernel);
  if (isWsl && !/microsoft-standard|WSL2/i.test(kernel)) {
    return [
      'This is WSL 1, where PostgreSQL does not start. Move this Linux to WSL 2, in PowerShell:',
      '  wsl --list --verbose',
      '  wsl --set-version <name of this Linux> 2',
    ].join('\n');
  }
  const onWindowsDrive = [folder, dataDir].find((path) => isWsl && /^\/mnt\/[a-z](\/|$)/i.test(path));
  if (onWindowsDrive !== undefined) {
    return [
      `${onWindowsDrive} is on a Windows drive. PostgreSQL cannot protect its files there, and every file is slow.`,
      'Put the clone into the home folder of Linux, for example ~/fpay, and start there.',
    ].join('\n');
  }
  if (hasDatabase) return null;
  if (!withDatabase.includes(`${platform} ${arch}`)) {
    return `There is no PostgreSQL in npm for ${platform} on ${arch}. ${ownDatabase}`;
  }
  if (isMusl) return `The PostgreSQL in npm needs glibc, which this Linux (Alpine?) does not have. ${ownDatabase}`;
  return null;
}

function thisSystem() {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  return {
    platform: process.platform,
    arch: process.arch,
    kernel: release(),
    folder,
    dataDir: process.env.DATA_DIR || folder,
    isMusl: process.platform === 'linux' && usesMusl(),
    hasDatabase: Boolean(process.env.DATABASE_URL),
  };
}

/** The dynamic loader that Node itself was linked with. */
function usesMusl() {
  try {
    return /\/ld-musl-/.test(readFileSync('/proc/self/maps', 'latin1')) && !existsSync('/lib64/ld-linux-x86-64.so.2');
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problem = systemProblem(thisSystem());
  if (problem !== null) {
    console.error(problem);
    process.exitCode = 1;
  }
}
