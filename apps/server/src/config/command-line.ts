const processRoles = ['api', 'gateway', 'worker'] as const;
export type ProcessRole = (typeof processRoles)[number];

/** Says for each variable what is wrong, so that an operator need not read code. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: string[]) {
    super(`The configuration is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** `demo`: everything is embedded and no account is needed. `production`: refuses demo settings. */
export type Mode = 'demo' | 'production';

export interface CommandLine {
  mode: Mode;
  roles: readonly ProcessRole[];
}

export function readCommandLine(argv: readonly string[]): CommandLine {
  const problems: string[] = [];
  let roles: readonly ProcessRole[] = processRoles;
  let mode: Mode = 'production';
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index];
    if (word === '--demo') mode = 'demo';
    else if (word === '--roles') {
      const given = (argv[++index] ?? '').split(',');
      const unknown = given.filter((role) => !(processRoles as readonly string[]).includes(role));
      if (unknown.length > 0)
        problems.push(`--roles: ${unknown.join(', ') || 'nothing'} is not one of ${processRoles.join(', ')}`);
      roles = given as ProcessRole[];
    } else problems.push(`${word}: unknown option`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { mode, roles };
}
