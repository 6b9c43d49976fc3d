import { transitions } from './operation.ts';

/** The machine as Mermaid draws it, for docs/charging.md. */
export function operationDiagram(): string {
  const lines = Object.entries(transitions).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `  ${from} --> ${to}: ${event}`),
  );
  return ['stateDiagram-v2', '  [*] --> created', ...lines].join('\n');
}
