export interface SystemFacts {
  platform: string;
  arch: string;
  /** The release of the operating system's kernel. */
  kernel: string;
  /** Where the clone is. */
  folder: string;
  dataDir: string;
  /** True on a Linux whose C library is musl. */
  isMusl: boolean;
  /** True when DATABASE_URL names a database, so that the one of npm is not needed. */
  hasDatabase: boolean;
}

export function systemProblem(system: SystemFacts): string | null;
