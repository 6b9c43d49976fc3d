import { type Fault, faultKinds, faultText } from './fault.ts';
import { type Html, html, raw } from './html.ts';

/** How one switch is shown: its effect, and the input for its value. */
export interface SwitchField {
  name: string;
  label: string;
  kind: 'number' | 'boolean' | 'fault' | readonly string[];
}

interface Form {
  action: string;
  fields: readonly SwitchField[];
  /** The values that were set here; others are shown as their fallback. */
  own: Record<string, unknown>;
  inherited: Record<string, unknown>;
  hidden?: Record<string, string>;
  extra?: Html;
}

/** A form of switches. An empty field means the fallback value. */
export function switchForm({ action, fields, own, inherited, hidden = {}, extra }: Form): Html {
  return html`<form class="switches" method="post" action="${action}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => row(field, own[field.name], inherited[field.name]))}
<div class="actions"><button class="main small" data-testid="switches-save">Save</button>
<button class="secondary small" name="reset" value="true" data-testid="switches-reset">Reset</button>${extra}</div>
</form>
<datalist id="faults">${faultKinds.map((kind) => html`<option value="${kind}">`)}<option value="refused:1077">
<option value="error500 x1"></datalist>`;
}

function row({ name, label, kind }: SwitchField, own: unknown, inherited: unknown): Html {
  const value = own === undefined ? '' : text(own);
  const control =
    kind === 'number' || kind === 'fault'
      ? html`<input id="s-${name}" name="${name}" value="${value}" placeholder="${text(inherited)}" ${
          kind === 'fault' ? raw('list="faults"') : raw('inputmode="decimal"')
        } autocomplete="off">`
      : html`<select id="s-${name}" name="${name}"><option value="">${`(${text(inherited)})`}</option>${(
          kind === 'boolean' ? ['true', 'false'] : kind
        ).map(
          (option) => html`<option value="${option}"${option === value && raw(' selected')}>${option}</option>`,
        )}</select>`;
  return html`<div class="switch${own !== undefined && ' is-set'}"><label for="s-${name}">${label}</label>${control}</div>`;
}

function text(value: unknown): string {
  return typeof value === 'object' && value !== null ? faultText(value as Fault) : String(value);
}
