/** A shape of the test's city with the lowest zoom of its tiles; points are longitude and latitude. */
export interface CityShape {
  layer: string;
  kind: 'point' | 'line' | 'area';
  fromZoom: number;
  points: readonly (readonly [lon: number, lat: number])[];
  properties: Record<string, string | number>;
}

type Points = CityShape['points'];

/** Points as text, which stays short: longitude, space, latitude. */
function at(text: string): Points {
  return text.split(', ').map((pair) => {
    const [lon = 0, lat = 0] = pair.split(' ').map(Number);
    return [lon, lat] as const;
  });
}

const named = (uk: string, en: string, pl: string) => ({ name: uk, 'name:uk': uk, 'name:en': en, 'name:pl': pl });

/** A drawing of Dnipro in the OpenMapTiles schema. It is near enough to the real one to judge how the map looks. */
const river = [
  ...at(
    '34.9 48.512, 34.96 48.498, 35.0 48.49, 35.03 48.4835, 35.06 48.4795, 35.085 48.473, 35.1 48.462, 35.108 48.445, 35.112 48.42, 35.125 48.385, 35.15 48.36',
  ),
  ...at(
    '35.17 48.365, 35.15 48.392, 35.135 48.425, 35.132 48.45, 35.125 48.468, 35.11 48.482, 35.085 48.4905, 35.06 48.4965, 35.03 48.501, 35.0 48.507, 34.96 48.517, 34.9 48.532',
  ),
];

const road = (
  kind: string,
  fromZoom: number,
  points: Points,
  name?: ReturnType<typeof named>,
  more = {},
): CityShape[] => [
  { layer: 'transportation', kind: 'line', fromZoom, points, properties: { class: kind, ...more } },
  ...(name
    ? [
        {
          layer: 'transportation_name',
          kind: 'line' as const,
          fromZoom: Math.max(11, fromZoom),
          points,
          properties: { class: kind, ...name },
        },
      ]
    : []),
];

const place = (
  kind: string,
  fromZoom: number,
  rank: number,
  point: readonly [number, number],
  name: object,
): CityShape => ({
  layer: 'place',
  kind: 'point',
  fromZoom,
  points: [point],
  properties: { class: kind, rank, ...name },
});

const area = (layer: string, kind: string, fromZoom: number, points: Points): CityShape => ({
  layer,
  kind: 'area',
  fromZoom,
  points,
  properties: { class: kind },
});

const [yavornytskoho, slobozhanskyi] = [
  named('проспект Дмитра Яворницького', 'Dmytra Yavornytskoho Avenue', 'aleja Dmytra Jawornyckiego'),
  named('Слобожанський проспект', 'Slobozhanskyi Avenue', 'aleja Słobożańska'),
];

export const cityShapes: CityShape[] = [
  area('water', 'river', 4, river),
  area(
    'landuse',
    'residential',
    6,
    at('34.93 48.49, 35.0 48.485, 35.08 48.47, 35.1 48.45, 35.1 48.4, 34.98 48.4, 34.92 48.44'),
  ),
  area('landuse', 'residential', 6, at('34.98 48.515, 35.08 48.5, 35.13 48.48, 35.16 48.5, 35.1 48.55, 35.0 48.56')),
  area('landcover', 'wood', 8, at('35.055 48.45, 35.075 48.452, 35.08 48.44, 35.06 48.436')),
  area('landcover', 'grass', 9, at('35.07 48.4805, 35.09 48.476, 35.098 48.468, 35.088 48.47')),
  area('landcover', 'wood', 8, at('35.0 48.53, 35.03 48.532, 35.034 48.52, 35.006 48.518')),
  ...road(
    'primary',
    7,
    at('34.98 48.478, 35.02 48.4715, 35.04 48.468, 35.06 48.463, 35.075 48.455, 35.08 48.445'),
    yavornytskoho,
  ),
  ...road('primary', 7, at('35.055 48.464, 35.0565 48.4795'), undefined),
  ...road('primary', 7, at('35.0565 48.4795, 35.06 48.4965'), slobozhanskyi, { brunnel: 'bridge' }),
  ...road('primary', 7, at('35.06 48.4965, 35.064 48.512, 35.075 48.535, 35.09 48.56'), slobozhanskyi),
  ...road(
    'trunk',
    6,
    at('34.9 48.505, 34.96 48.492, 35.03 48.4785, 35.075 48.4705, 35.095 48.455, 35.1 48.42, 35.11 48.38'),
    named('Січеславська Набережна', 'Sicheslavska Embankment', 'Bulwar Siczesławski'),
  ),
  ...road(
    'secondary',
    9,
    at('35.02 48.4715, 35.026 48.455, 35.03 48.43, 35.032 48.405'),
    named('проспект Олександра Поля', 'Oleksandra Polia Avenue', 'aleja Ołeksandra Pola'),
  ),
  ...road(
    'secondary',
    9,
    at('35.028 48.449, 35.05 48.4445, 35.07 48.4425, 35.1 48.44'),
    named('вулиця Січових Стрільців', 'Sichovykh Striltsiv Street', 'ulica Strzelców Siczowych'),
  ),
  ...road(
    'motorway',
    4,
    at('34.6 48.56, 34.8 48.57, 35.0 48.575, 35.2 48.56, 35.5 48.58'),
    named('М-30', 'M-30', 'M-30'),
  ),
  ...road(
    'tertiary',
    11,
    at('35.064 48.512, 35.1 48.507, 35.14 48.505'),
    named('Донецьке шосе', 'Donetske Highway', 'szosa Doniecka'),
  ),
  ...road('trunk', 8, at('35.06 48.4965, 35.0655 48.499, 35.07 48.5115'), undefined, { ramp: 1 }),
  ...road('rail', 8, at('34.9 48.48, 34.98 48.473, 35.02 48.478, 35.035 48.4905, 35.05 48.53'), undefined),
  ...road('transit', 11, at('34.99 48.474, 35.02 48.469, 35.05 48.462'), undefined, { brunnel: 'tunnel' }),
  ...streetGrid(),
  ...buildings(),
  place('city', 4, 3, [35.046, 48.4585], named('Дніпро', 'Dnipro', 'Dniepr')),
  place('city', 6, 6, [34.61, 48.51], named('Кам’янське', 'Kamianske', 'Kamianskie')),
  place('suburb', 11, 10, [35.035, 48.464], named('Центр', 'Centre', 'Centrum')),
  place('suburb', 11, 11, [35.065, 48.4485], named('Нагірний', 'Nahirnyi', 'Nahirny')),
  place('suburb', 11, 12, [35.04, 48.51], named('Калинівський', 'Kalynivskyi', 'Kałyniwski')),
  {
    layer: 'water_name',
    kind: 'line',
    fromZoom: 9,
    points: at('34.95 48.51, 35.0 48.4985, 35.04 48.4915'),
    properties: { class: 'river', ...named('Дніпро', 'Dnipro', 'Dniepr') },
  },
  // A line that only another state claims, through the middle of the view.
  {
    layer: 'boundary',
    kind: 'line',
    fromZoom: 4,
    points: at('34.8 48.44, 35.3 48.44'),
    properties: { admin_level: 2, disputed: 1, claimed_by: 'XX' },
  },
];

function streetGrid(): CityShape[] {
  const [west, south] = [34.99, 48.412];
  return Array.from({ length: 22 }, (_, index) => [
    ...road(
      'minor',
      13,
      [
        [west + index * 0.0045, south],
        [west + index * 0.0045 - 0.004, south + 0.055],
      ],
      index % 4 === 0
        ? named(`вулиця ${index + 1}-го Травня`, `${index + 1} May Street`, `ulica ${index + 1} Maja`)
        : undefined,
    ),
    ...road(index % 3 === 0 ? 'minor' : 'service', 13, [
      [west, south + index * 0.0024],
      [west + 0.09, south + index * 0.0024 - 0.006],
    ]),
  ]).flat();
}

function buildings(): CityShape[] {
  return Array.from({ length: 160 }, (_, index) => {
    const [lon, lat] = [35.02 + (index % 16) * 0.0017, 48.452 + Math.floor(index / 16) * 0.0011];
    const [wide, high] = [0.0005 + (index % 3) * 0.0002, 0.00025 + (index % 4) * 0.00008];
    return area('building', 'building', 13, [
      [lon, lat],
      [lon + wide, lat],
      [lon + wide, lat + high],
      [lon, lat + high],
    ]);
  });
}
