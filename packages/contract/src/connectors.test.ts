import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectorTypes, everyConnectorType } from './connectors.ts';

const requirements = readFileSync(new URL('../../../docs/requirements.md', import.meta.url), 'utf8');
const row = (id: string) => new RegExp(`^\\| ${id} \\| ([^|]+) \\|`, 'm').exec(requirements)?.[1]?.trim() ?? '';
const listed = (text: string) => text.split(/, | and /).toSorted();

it('has the names that docs/requirements.md lists [CONN-02]', () => {
  const names = everyConnectorType.map((type) => `${type} ${connectorTypes[type].name}`);
  expect(listed(row('CONN-02').replace(/^Names: /, ''))).toEqual(names.toSorted());
});

it('has the current that docs/requirements.md states [CONN-03]', () => {
  const [alternating = '', direct = ''] = row('CONN-03').split('; ');
  const withCurrent = (current: 'AC' | 'DC') =>
    everyConnectorType.filter((type) => connectorTypes[type].current === current);
  expect(listed(alternating.replace(/ are AC$/, ''))).toEqual(withCurrent('AC').toSorted());
  expect(listed(direct.replace(/ are DC$/, ''))).toEqual(withCurrent('DC').toSorted());
});
