import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectorTypes, everyConnectorType } from '@fpay/contract/connectors';
import { screen } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { MapDock } from './map-dock.tsx';

vi.setConfig({ testTimeout: 20_000 });

const style = (file: string) => readFileSync(join(import.meta.dirname, '../../ui/styles', file), 'utf8');

describe('connectors on the map', () => {
  it('are AC or DC by their type [CONN-03]', () => {
    const alternatingCurrent = everyConnectorType.filter((type) => connectorTypes[type].current === 'AC');
    expect(alternatingCurrent.toSorted()).toEqual(['gbtac', 'type1', 'type2']);
    const direct = everyConnectorType.filter((type) => connectorTypes[type].current === 'DC');
    for (const type of ['gbtdc', 'ccstype1', 'ccstype2', 'chademo', 'nacs'] as const) expect(direct).toContain(type);
  });

  it('are drawn as a plug, or as a plug with its cable [CONN-05]', () => {
    for (const type of everyConnectorType) {
      const { container, unmount } = renderPart(
        <>
          <ConnectorIcon type={type} />
          <ConnectorIcon type={type} withCable />
        </>,
      );
      const [plug, cabled] = container.querySelectorAll('svg');
      expect([plug?.querySelectorAll('path').length, cabled?.querySelectorAll('path').length]).toEqual([1, 2]);
      unmount();
    }
  });

  it('are dark grey unless a filter or a status colours them [CONN-06]', () => {
    renderPart(
      <MapDock
        ref={createRef()}
        types={['type2']}
        onTypes={() => undefined}
        onSearch={() => undefined}
        onAllTypes={() => undefined}
      />,
    );
    const colourOf = (name: string) => {
      const icon = screen.getByRole('button', { name }).querySelector('svg');
      return [icon?.getAttribute('stroke'), icon?.parentElement?.className];
    };
    expect(colourOf('CCS2')).toEqual(['currentColor', 'text-ink-2']);
    expect(colourOf('Type 2')).toEqual(['currentColor', '']);
  });

  it('are dark grey by that class on a light page [CONN-06]', () => {
    const [, light = ''] = /--ink-2: light-dark\(#([0-9a-f]{6}),/.exec(style('tokens.css')) ?? [];
    const channels = [0, 2, 4].map((at) => Number.parseInt(light.slice(at, at + 2), 16));
    // Grey: the three channels are close to each other; dark: each is below a half.
    expect(Math.max(...channels) - Math.min(...channels)).toBeLessThan(24);
    expect(Math.max(...channels)).toBeLessThan(128);
    expect(style('theme.css')).toContain('--color-ink-2: var(--ink-2);');
  });
});
