/**
 * Questions for a role or a name ask for the style of hundreds of elements, only to know which of them are hidden. jsdom
 * matches each element with each rule of its style sheet after every change of the page, which took more than half of the
 * time of these tests. Without style sheets of a page the answer depends on little: the element's name, few of its attributes,
 * and for `visibility` its ancestors. So jsdom is asked once for each combination, and once for everything else.
 */
export function cacheComputedStyles(window: Window & typeof globalThis): void {
  const { document } = window;
  const computed = window.getComputedStyle.bind(window);
  const known = new Map<string, ShownAs>();

  function shownAs(element: Element): ShownAs {
    const key = keyOf(element);
    let shown = known.get(key);
    if (!shown) {
      // Without its parent, which decides nothing but what the copy inherits.
      const { display, visibility } = computed(element.cloneNode(false) as Element);
      shown = { display, visibility };
      known.set(key, shown);
    }
    return shown;
  }

  function visibilityOf(element: Element): string | null {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (shownAs(at).visibility !== 'visible' || mayBeVisibleAgain.test(at.getAttribute('style') ?? '')) return null;
    return 'visible';
  }

  window.getComputedStyle = (element, pseudo) => {
    const whole = () => computed(element, pseudo);
    const isUsual = element.ownerDocument === document && document.styleSheets.length === 0 && !pseudo;
    if (!isUsual || isSpecial(element)) return whole();
    const quick = (name: string | symbol): string | null => {
      if (name === 'display') return shownAs(element).display;
      return name === 'visibility' ? visibilityOf(element) : null;
    };
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        const answer = quick(name);
        if (answer !== null) return answer;
        if (name === 'getPropertyValue')
          return (property: string) => quick(property) ?? whole().getPropertyValue(property);
        const style = whole();
        const value = Reflect.get(style, name);
        return typeof value === 'function' ? value.bind(style) : value;
      },
    });
  };
}

interface ShownAs {
  display: string;
  /** Its own; an element that does not say it is as visible as its parent. */
  visibility: string;
}

const mayBeVisibleAgain = /visibility|all/i;
/** The attributes that jsdom's style sheet asks for in rules with `display` or `visibility`. */
const attributes = ['hidden', 'open', 'type'];

function keyOf(element: Element): string {
  const style = element.getAttribute('style') ?? '';
  const values = attributes.map((name) => element.getAttribute(name) ?? '-');
  return [element.namespaceURI, element.localName, ...values, /display|visibility|all/i.test(style) ? style : ''].join(
    ' ',
  );
}

/** Their style depends on their place or on a state that is no attribute. */
const isSpecial = (element: Element) => element.localName === 'summary' || element.hasAttribute('popover');
