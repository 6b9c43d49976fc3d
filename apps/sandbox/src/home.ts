import { type Html, html } from './html.ts';
import { partNames, parts } from './parts.ts';

export function homePage(): Html {
  return html`<main>
<h1>Sandbox</h1>
<p class="lead">It plays the services that the product calls. No money moves and no message leaves this computer.</p>
<ul class="list">${partNames.map((part) => {
    const { name, plays, what } = parts[part];
    return html`<li><a class="card part" href="/${part}">
<strong>${name}</strong> <span class="small">plays ${plays}</span><span>${what}</span></a></li>`;
  })}</ul>
</main>`;
}
