import { expect, it } from 'vitest';
import { readJson } from './json-lines.ts';

it.each([
  ['an array', '[\n  {"a": [1, {"b": 2}]},\n\n  {\n  "c": 3},\n 4, "x"\n]', [2, 4, 6, 6]],
  ['an empty array', '[\n]', []],
  ['brackets and quotes within texts', '[\n"]\\"[",\n{"stations": "[,"}]', [2, 3]],
  [
    'a member of the document',
    '{"tariffs": [\n{"x": []}, 2],\n"stations": [\n{"connectors": [\n{}, {}]},\n{}]}',
    [4, 6],
  ],
  ['a document without that member', '{"tariffs": [1, 2]}', []],
  ['a deeper member of that name', '{"x": {"stations": [1]},\n "stations":\n[2]}', [3]],
])('finds the lines of the elements of %s', (_, text, lines) => {
  const file = readJson(text);
  expect('value' in file && file.elementLines('stations')).toEqual(lines);
});

it.each([
  ['[\n{"a": F1},\n{}]', 2],
  ['[\n{"a": 1}\n{}]', 3],
  ['[\n{"a": 1},\n{"b": "x\ny"}]', 3],
  ['{\n"a": [1,\n2\n', 4],
  ['', 1],
])('finds the line on which %j breaks', (text, line) => {
  expect(readJson(text)).toMatchObject({ brokenLine: line });
});
