/** What a browser test opens, by the folders of the pages and of what the server does for them. The first that fits counts. */
const pages: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^apps\/(web\/src\/features|server\/src)\/(account|profile)\//,
    ['account', 'auth', 'sessions', 'sign-up', 'second-factor'],
  ],
  [/^apps\/web\/src\/features\/backoffice\/(integrations)\/|^apps\/server\/src\/integrations\//, ['integrations']],
  [
    /^apps\/web\/src\/features\/backoffice\/network\/|^apps\/server\/src\/(network|site-power|ocpp)\//,
    ['network', 'network-building', 'idle-fee', 'realtime', 'staff-pages'],
  ],
  [
    /^apps\/web\/src\/features\/backoffice\/shutdown\/|^apps\/(web\/src\/features|server\/src)\/maintenance\//,
    ['shutdown', 'calls'],
  ],
  [
    /^apps\/(web\/src\/features\/(support|backoffice\/cases)|server\/src\/(cases|backoffice\/cases|feedback))\//,
    ['cases', 'charge', 'staff-pages'],
  ],
  [
    /^apps\/(web\/src\/features|server\/src)\/backoffice\/|^apps\/server\/src\/web-app\/page-errors/,
    ['backoffice', 'finish', 'staff-pages'],
  ],
  [/^apps\/(web\/src\/features|server\/src)\/cars\//, ['cars']],
  [
    /^apps\/(web\/src\/features|server\/src)\/charging\//,
    ['charge', 'payment-flows', 'plug-in', 'finish', 'unpaid', 'realtime'],
  ],
  [/^apps\/server\/src\/payments\//, ['payment-flows', 'saved-cards', 'balance', 'unpaid', 'stranger']],
  [/^apps\/(web\/src\/features|server\/src)\/(free-alerts|messages)\//, ['free-alert', 'push']],
  [/^apps\/(web\/src\/features|server\/src)\/(history|stats|receipts|feedback)\//, ['history', 'own-pages', 'finish']],
  [/^apps\/(web\/src\/features|server\/src)\/(map|favourites)\//, ['map', 'map-streets']],
  [/^apps\/(web\/src\/features|server\/src)\/party\//, ['party']],
  [/^apps\/(web\/src\/features|server\/src)\/(qr|rfid|instruction)\//, ['qr', 'rfid', 'stranger', 'finish']],
  [
    /^apps\/(web\/src\/features|server\/src)\/stations\//,
    ['charge', 'map', 'away-station', 'first-load', 'free-alert', 'station-help'],
  ],
  [/^apps\/(web\/src\/features|server\/src)\/wallet\//, ['balance', 'saved-cards']],
  [/^apps\/web\/src\/(i18n|features\/settings)\//, ['language', 'large-text']],
  [/^apps\/web\/src\/service-worker\//, ['pwa', 'push']],
  [/^apps\/(web\/src\/(router|app|api)\/|server\/src\/web-app\/)/, ['back', 'guards', 'calls', 'first-load', 'shell']],
  [/^apps\/web\/src\/ui\//, ['screens', 'large-text', 'shell']],
  [/^apps\/server\/src\/realtime\//, ['realtime', 'calls']],
];

/** A test of one page that is not in the table still runs when it is itself changed. */
export function specsOf(file: string): readonly string[] {
  const spec = /^e2e\/tests\/(.+)\.spec\.ts$/.exec(file)?.[1];
  if (spec) return [spec];
  if (/\.test\.tsx?$|\/testing\//.test(file)) return [];
  return pages.find(([place]) => place.test(file))?.[1] ?? [];
}

export const mappedSpecs = new Set(pages.flatMap(([, specs]) => specs));
