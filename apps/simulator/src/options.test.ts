import { describe, expect, it } from 'vitest';
import { BadOption, readOptions } from './options.ts';

describe('the command line', () => {
  it('without arguments runs the demo', () => {
    expect(readOptions([], {})).toEqual({
      url: 'ws://127.0.0.1:8080/ocpp',
      source: { kind: 'wait', file: '.data/demo-network.json' },
      password: '',
      scenario: 'normal',
      speed: 1,
      stamps: 'simulated',
      seed: 'fpay',
      hasTraffic: true,
      connectsPerSecond: 400,
      port: 8091,
    });
  });

  it("uses the demo's settings from the environment", () => {
    const env = { PORT: '9000', DATA_DIR: '/data', SIMULATOR_PORT: '9001', SIMULATOR_SPEED: '10', SIMULATOR_SEED: 's' };
    expect(readOptions([], env)).toMatchObject({
      url: 'ws://127.0.0.1:9000/ocpp',
      source: { kind: 'wait', file: '/data/demo-network.json' },
      port: 9001,
      speed: 10,
      seed: 's',
    });
    expect(readOptions([], { ...env, SIMULATOR_URL: 'wss://x/ocpp', SIMULATOR_NETWORK: '/n.json' })).toMatchObject({
      url: 'wss://x/ocpp',
      source: { kind: 'wait', file: '/n.json' },
    });
  });

  it('runs any number of charge points in any scenario', () => {
    const args =
      '--url ws://h:1/ocpp --count 10000 --scenario drops-socket --speed 60 --password p --no-page --wall-clock';
    expect(readOptions(args.split(' '), {})).toMatchObject({
      url: 'ws://h:1/ocpp',
      source: { kind: 'generate', count: 10_000 },
      scenario: 'drops-socket',
      speed: 60,
      password: 'p',
      hasTraffic: false,
      port: null,
      stamps: 'wall',
    });
    expect(readOptions(['--network', '-', '--traffic'], {})).toMatchObject({
      source: { kind: 'load', from: '-' },
      hasTraffic: true,
    });
    expect(readOptions(['--from', 'http://x/n'], {})).toMatchObject({ source: { kind: 'load', from: 'http://x/n' } });
  });

  it.each([
    ['--scenario', 'explodes'],
    ['--speed', 'fast'],
    ['--speed', '0'],
    ['--count', '-1'],
    ['--url', 'http://x'],
    ['--nonsense', '1'],
    ['--network', 'a', '--count', '3'],
  ])('refuses %s %s', (...args) => {
    expect(() => readOptions(args, {})).toThrow(BadOption);
  });
});
