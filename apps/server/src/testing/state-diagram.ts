/** A table of transitions as Mermaid draws it, for docs/charging.md. Events between the same two states share an arrow. */
export function stateDiagram(first: string, table: Record<string, Record<string, string>>): string {
  const arrows = Object.entries(table).flatMap(([from, events]) => {
    const ends = Map.groupBy(Object.entries(events), ([, to]) => to);
    return [...ends].map(([to, same]) => `  ${from} --> ${to}: ${same.map(([event]) => event).join(', ')}`);
  });
  return ['stateDiagram-v2', `  [*] --> ${first}`, ...arrows].join('\n');
}
