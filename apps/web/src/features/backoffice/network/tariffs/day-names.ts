/** Monday first. */
export const dayNames = [
  'networkBuild:monday',
  'networkBuild:tuesday',
  'networkBuild:wednesday',
  'networkBuild:thursday',
  'networkBuild:friday',
  'networkBuild:saturday',
  'networkBuild:sunday',
] as const;
