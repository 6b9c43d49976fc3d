/**
 * The control page is one file without external assets. It shows the answer of GET /charge-points every two seconds.
 * All values are inserted as text, never as HTML.
 */
export const page = `<!doctype html>
<html lang="uk">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Симулятор зарядних станцій</title>
<style>
  :root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #1c7ed6; }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; }
  header { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: baseline; }
  h1 { font-size: 1.35rem; margin: 0; }
  h2 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
  input, select, button { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; }
  button { cursor: pointer; }
  button:hover:not(:disabled) { border-color: var(--accent); }
  button:disabled { opacity: .4; cursor: default; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .controls { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 .5rem; }
  .controls input { flex: 1 1 14rem; }
  #waiting { display: flex; flex-wrap: wrap; gap: .4rem; }
  article { border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem; margin: .6rem 0; }
  article > div:first-child { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; }
  article > div:first-child select { margin-left: auto; }
  .muted { opacity: .65; }
  .connector { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; padding: .45rem 0 0; margin-top: .45rem; border-top: 1px solid var(--line); }
  .connector .what { flex: 1 1 20rem; }
  .status { display: inline-block; min-width: 7.5rem; padding: .05rem .5rem; border-radius: 1rem; text-align: center; background: #8883; }
  .Available { background: #2f9e4433; } .Preparing { background: #fab00555; } .Charging { background: #1c7ed655; }
  .Faulted, .Unavailable { background: #e0313155; } .Finishing, .SuspendedEV, .SuspendedEVSE { background: #ae3ec933; }
  #notice { min-height: 1.4em; }
</style>
</head>
<body>
<header><h1>Симулятор зарядних станцій</h1><span id="summary" class="muted"></span></header>
<h2>Тут авто вже під’єднане і чекає</h2>
<div id="waiting"></div>
<div class="controls">
  <input id="search" type="search" placeholder="Номер станції, charge point або адреса" aria-label="Пошук">
  <select id="state" aria-label="Стан"><option value="">усі стани</option></select>
  <input id="card" placeholder="Картка RFID, напр. 04A1B2C3" aria-label="Картка RFID" maxlength="20">
</div>
<div id="notice" role="status" class="muted"></div>
<main id="list"></main>
<p id="more" class="muted"></p>
<script>
const MOST = 40;
const states = ['Available', 'Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Unavailable', 'Faulted'];
const $ = (id) => document.getElementById(id);
let all = [], scenarios = [];

function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

async function ask(path, body) {
  const options = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.message);
  return said;
}

async function act(path, body) {
  try {
    const { outcome } = await ask(path, body);
    $('notice').textContent = outcome ? 'Картка: ' + outcome : 'Зроблено';
  } catch (error) {
    $('notice').textContent = 'Не вийшло: ' + error.message;
  }
  await refresh();
}

function connectorRow(point, one) {
  const base = '/charge-points/' + encodeURIComponent(point.identity) + '/connectors/' + one.id;
  const facts = [one.id + ' · ' + one.type + ' · ' + one.powerW / 1000 + ' кВт'];
  if (one.car) facts.push(one.car.model + ', ' + one.car.soc + '%');
  if (one.transaction) facts.push((one.transaction.energyWh / 1000).toFixed(2) + ' кВт·год, ' + (one.transaction.powerW / 1000).toFixed(1) + ' кВт');
  return make('div', { className: 'connector' },
    make('span', { className: 'status ' + one.status, textContent: one.status }),
    make('span', { className: 'what', textContent: facts.join(' — ') }),
    make('button', { textContent: 'Під’єднати', disabled: one.car !== null, onclick: () => act(base + '/plug', {}) }),
    make('button', { textContent: 'Від’єднати', disabled: one.car === null, onclick: () => act(base + '/unplug', {}) }),
    make('button', { textContent: 'Прикласти картку', onclick: () => act(base + '/tap', { card: $('card').value.trim() }) }));
}

// A card is rendered again only when its content changed, so that a button stays in place while it is pressed.
const drawn = new Map();
function pointCard(point) {
  const text = JSON.stringify(point) + scenarios.length, last = drawn.get(point.identity);
  if (last?.text === text) return last.card;
  const card = newPointCard(point);
  drawn.set(point.identity, { text, card });
  return card;
}

function newPointCard(point) {
  const select = make('select', { ariaLabel: 'Сценарій', onchange: () => act('/charge-points/' + encodeURIComponent(point.identity) + '/scenario', { scenario: select.value }) });
  for (const name of scenarios) select.append(make('option', { value: name, textContent: name, selected: name === point.scenario }));
  const state = point.isConnected ? (point.isBooted ? 'на зв’язку' : 'завантажується') : 'немає зв’язку';
  const head = make('div', {}, make('strong', { textContent: point.station }),
    make('span', { className: 'muted', textContent: [point.identity !== point.station && point.identity, point.address, state, point.queued > 0 && 'у черзі: ' + point.queued].filter(Boolean).join(' · ') }), select);
  return make('article', {}, head, ...point.connectors.map((one) => connectorRow(point, one)));
}

function draw() {
  const wanted = $('search').value.trim().toLowerCase(), state = $('state').value;
  const isWanted = (point) => (point.station + ' ' + point.identity + ' ' + point.address).toLowerCase().includes(wanted)
    && (state === '' || point.connectors.some((one) => one.status === state));
  const shown = all.filter(isWanted);
  const connectors = all.flatMap((point) => point.connectors);
  $('summary').textContent = all.length + ' станцій, на зв’язку ' + all.filter((point) => point.isConnected).length
    + ', заряджають ' + connectors.filter((one) => one.status === 'Charging').length;
  const waiting = all.filter((point) => point.isConnected && point.connectors.some((one) => one.status === 'Preparing'));
  $('waiting').replaceChildren(...(waiting.length === 0 ? [make('span', { className: 'muted', textContent: 'Зараз ніде' })]
    : waiting.slice(0, MOST).map((point) => make('button', { textContent: point.station, title: point.address, onclick: () => { $('search').value = point.station; draw(); } }))));
  // A list that is being chosen from is not taken away from under the hand.
  if (document.activeElement?.closest('#list select')) return;
  $('more').textContent = shown.length > MOST ? 'Показано ' + MOST + ' з ' + shown.length + ': уточніть пошук.' : '';
  const cards = shown.slice(0, MOST).map(pointCard), list = $('list');
  cards.forEach((card, index) => { if (list.children[index] !== card) list.insertBefore(card, list.children[index] ?? null); });
  while (list.children.length > cards.length) list.lastElementChild.remove();
}

async function refresh() {
  try {
    all = await ask('/charge-points');
    draw();
  } catch {
    $('summary').textContent = 'симулятор не відповідає';
  }
}

for (const state of states) $('state').append(make('option', { value: state, textContent: state }));
$('search').oninput = draw;
$('state').onchange = draw;
ask('/scenarios').then((names) => { scenarios = names; return refresh(); });
setInterval(refresh, 2000);
</script>
</body>
</html>
`;
