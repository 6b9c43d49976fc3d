import type { UkraineFile } from './source.ts';

/** The roads between cities, by the towns that they pass. The lines are schematic, so they are drawn only from afar. */
const routes = [
  'Kyiv, Zhytomyr, Zviahel, Rivne, Dubno, Brody, Lviv',
  'Lviv, Stryi, Mukachevo, Uzhhorod',
  'Kyiv, Bila Tserkva, Uman, Odesa',
  'Kyiv, Boryspil, Yahotyn, Pyriatyn, Lubny, Poltava, Kharkiv',
  'Kyiv, Brovary, Nizhyn, Konotop, Hlukhiv',
  'Brovary, Chernihiv',
  'Kyiv, Korosten, Sarny, Kovel',
  'Uman, Kropyvnytskyi, Oleksandriia, Kamianske, Dnipro, Pavlohrad, Pokrovsk, Donetsk, Luhansk',
  'Uman, Vinnytsia, Khmelnytskyi, Ternopil, Lviv',
  'Ternopil, Chortkiv, Chernivtsi',
  'Ternopil, Kremenets, Dubno, Lutsk, Kovel',
  'Lviv, Ivano-Frankivsk, Kolomyia, Chernivtsi',
  'Zhytomyr, Berdychiv, Vinnytsia, Tulchyn',
  'Khmelnytskyi, Kamianets-Podilskyi, Chernivtsi',
  'Odesa, Mykolaiv, Kherson, Melitopol, Berdiansk, Mariupol',
  'Kherson, Nova Kakhovka, Dzhankoi, Simferopol, Sevastopol',
  'Simferopol, Feodosiia, Kerch',
  'Kharkiv, Izium, Sloviansk, Kramatorsk, Kostiantynivka, Horlivka, Donetsk, Mariupol',
  'Kharkiv, Lozova, Pavlohrad, Zaporizhzhia, Melitopol, Dzhankoi',
  'Kharkiv, Berestyn, Samar, Dnipro, Zaporizhzhia',
  'Dnipro, Kryvyi Rih, Bashtanka, Mykolaiv',
  'Kropyvnytskyi, Kryvyi Rih, Nikopol, Zaporizhzhia',
  'Boryspil, Zolotonosha, Cherkasy, Smila, Kropyvnytskyi, Mykolaiv',
  'Zolotonosha, Kremenchuk, Kamianske',
  'Kremenchuk, Poltava, Okhtyrka, Sumy, Konotop',
  'Odesa, Bilhorod-Dnistrovskyi, Izmail',
] as const;

/** Lines of longitude and latitude. */
export function mainRoads({ cities }: Pick<UkraineFile, 'cities'>): number[][][] {
  const places = new Map(cities.features.map(({ properties, geometry }) => [properties.en, geometry.coordinates]));
  return routes.map((route) =>
    route.split(', ').map((name) => {
      const place = places.get(name);
      if (!place) throw new Error(`The embedded map has no ${name}`);
      return place;
    }),
  );
}
