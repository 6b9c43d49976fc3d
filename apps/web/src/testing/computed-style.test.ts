import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheComputedStyles } from './computed-style.ts';

const usual = window.getComputedStyle;
const byJsdom = (element: Element) => usual.call(window, element);
beforeEach(() => cacheComputedStyles(window));
afterEach(() => {
  window.getComputedStyle = usual;
  document.head.replaceChildren();
  document.body.replaceChildren();
});

const names =
  `a address area article aside audio b blockquote body br button canvas caption center cite code col colgroup
  datalist dd del details dialog dir div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header
  hgroup hr i iframe img input ins label legend li link main map mark marquee menu meta meter nav noembed noframes noscript
  object ol optgroup option output p param picture pre progress q rp rt ruby s script search section select slot small source
  span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul video wbr`
    .split(/\s+/)
    .filter((name) => name !== 'style');
const attributes: Record<string, string>[] = [
  {},
  { hidden: '' },
  { hidden: 'until-found' },
  { open: '' },
  { type: 'hidden' },
  { type: 'HIDDEN' },
  { popover: '' },
  { popover: '', open: '' },
  { class: 'flex hidden', id: 'one' },
  { style: 'display: none' },
  { style: 'display: flex; position: absolute' },
  { style: 'position: absolute; float: left' },
  { style: 'visibility: hidden' },
  { style: 'visibility: visible' },
  { style: 'visibility: collapse', hidden: '' },
  { style: 'all: unset' },
];

function expectSame(elements: Iterable<Element>): void {
  for (const element of elements) {
    const expected = byJsdom(element);
    const found = window.getComputedStyle(element);
    const of = (style: CSSStyleDeclaration) => ({
      element: element.outerHTML.slice(0, 80),
      display: style.display,
      visibility: style.visibility,
    });
    expect(of(found)).toEqual(of(expected));
  }
}

function add(parent: Element, name: string, given: Record<string, string>): HTMLElement {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(given)) element.setAttribute(attribute, value);
  parent.append(element);
  return element;
}

test('the answer is that of jsdom for every element with every attribute that decides it, also inside of another one', () => {
  for (const given of attributes) {
    expectSame(names.map((name) => add(document.body, name, given)));
    document.body.replaceChildren();
  }
  for (const outer of attributes) {
    const parent = add(add(document.body, 'table', {}), 'tbody', outer);
    expectSame(['tr', 'div', 'summary'].flatMap((name) => attributes.map((given) => add(parent, name, given))));
  }
});

test('everything else is asked from jsdom', () => {
  const element = add(document.body, 'b', { style: 'color: red' });
  const style = window.getComputedStyle(element);
  const asked = ['display', 'visibility', 'font-weight'].map((name) => style.getPropertyValue(name));
  expect([style.color, style.fontWeight, ...asked]).toEqual([
    'rgb(255, 0, 0)',
    'bolder',
    'inline',
    'visible',
    'bolder',
  ]);
});

test('a change of the page changes the answer', () => {
  const parent = add(document.body, 'section', {});
  const element = add(parent, 'button', {});
  const shown = () => [window.getComputedStyle(element).display, window.getComputedStyle(element).visibility];
  expect(shown()).toEqual(['inline-block', 'visible']);
  element.hidden = true;
  expect(shown()).toEqual(['none', 'visible']);
  element.hidden = false;
  parent.style.visibility = 'hidden';
  expect(shown()).toEqual(['inline-block', 'hidden']);
  element.style.visibility = 'visible';
  expect(shown()).toEqual(['inline-block', 'visible']);
  parent.style.visibility = '';
  element.style.display = 'none';
  expect(shown()).toEqual(['none', 'visible']);
});

test('a style sheet of the page counts', () => {
  const element = add(document.body, 'p', { class: 'gone' });
  expect(window.getComputedStyle(element).display).toBe('block');
  const sheet = document.createElement('style');
  sheet.textContent = '.gone { display: none }';
  document.head.append(sheet);
  expect(window.getComputedStyle(element).display).toBe('none');
});

test('details hide nothing of their own, and their first summary is a list item', () => {
  const details = add(document.body, 'details', {});
  expectSame([details, add(details, 'summary', {}), add(details, 'summary', {}), add(details, 'p', {})]);
});
