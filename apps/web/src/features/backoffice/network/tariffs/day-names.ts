/** Monday first. */
export const dayNames = [
  'networkTariffs:monday',
  'networkTariffs:tuesday',
  'networkTariffs:wednesday',
  'networkTariffs:thursday',
  'networkTariffs:friday',
  'networkTariffs:saturday',
  'networkTariffs:sunday',
] as const;
