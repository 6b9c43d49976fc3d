import type { DemoCity } from './city.ts';

/** Towns on the roads between the cities, and in the mountains. */
export const towns: DemoCity[] = [
  {
    uk: 'Біла Церква',
    en: 'Bila Tserkva',
    stations: 5,
    streets: [
      { uk: 'Олександрійський бульв.', en: 'Oleksandriiskyi Blvd', lat: 49.8098, lon: 30.1095 },
      { uk: 'вул. Ярослава Мудрого', en: 'Yaroslava Mudroho St', lat: 49.8186, lon: 30.098 },
      { uk: 'Сквирське шосе', en: 'Skvyrske Hwy', lat: 49.8138, lon: 30.1315 },
      { uk: 'вул. Київська', en: 'Kyivska St', lat: 49.797, lon: 30.1154 },
    ],
  },
  {
    uk: 'Павлоград',
    en: 'Pavlohrad',
    stations: 5,
    streets: [
      { uk: 'вул. Центральна', en: 'Tsentralna St', lat: 48.5321, lon: 35.8724 },
      { uk: 'вул. Дніпровська', en: 'Dniprovska St', lat: 48.5473, lon: 35.873 },
      { uk: 'вул. Шевченка', en: 'Shevchenka St', lat: 48.5269, lon: 35.8577 },
      { uk: 'вул. Західнодонбаська', en: 'Zakhidnodonbaska St', lat: 48.5354, lon: 35.8477 },
    ],
  },
  {
    uk: 'Самар',
    en: 'Samar',
    stations: 4,
    streets: [
      { uk: 'вул. Гетьманська', en: 'Hetmanska St', lat: 48.6423, lon: 35.2469 },
      { uk: 'вул. Дніпровська', en: 'Dniprovska St', lat: 48.644, lon: 35.258 },
      { uk: 'вул. Паланочна', en: 'Palanochna St', lat: 48.638, lon: 35.2269 },
    ],
  },
  {
    uk: 'Мукачево',
    en: 'Mukachevo',
    stations: 5,
    streets: [
      { uk: 'вул. Духновича', en: 'Dukhnovycha St', lat: 48.4402, lon: 22.7154 },
      { uk: 'вул. Миру', en: 'Myru St', lat: 48.4315, lon: 22.7091 },
      { uk: 'вул. Ужгородська', en: 'Uzhhorodska St', lat: 48.4318, lon: 22.7308 },
      { uk: 'вул. Університетська', en: 'Universytetska St', lat: 48.449, lon: 22.7138 },
    ],
  },
  {
    uk: 'Умань',
    en: 'Uman',
    stations: 4,
    streets: [
      { uk: 'вул. Європейська', en: 'Yevropeiska St', lat: 48.7498, lon: 30.222 },
      { uk: 'вул. Садова', en: 'Sadova St', lat: 48.7428, lon: 30.2273 },
      { uk: 'вул. Київська', en: 'Kyivska St', lat: 48.7377, lon: 30.2178 },
      { uk: 'вул. Незалежності', en: 'Nezalezhnosti St', lat: 48.7438, lon: 30.2365 },
    ],
  },
  {
    uk: 'Бровари',
    en: 'Brovary',
    stations: 4,
    streets: [
      { uk: 'вул. Київська', en: 'Kyivska St', lat: 50.5176, lon: 30.8046 },
      { uk: 'бульв. Незалежності', en: 'Nezalezhnosti Blvd', lat: 50.5077, lon: 30.8148 },
      { uk: 'вул. Героїв України', en: 'Heroiv Ukrainy St', lat: 50.51, lon: 30.8003 },
    ],
  },
  {
    uk: 'Бориспіль',
    en: 'Boryspil',
    stations: 4,
    streets: [
      { uk: 'вул. Київський Шлях', en: 'Kyivskyi Shliakh St', lat: 50.3514, lon: 30.9494 },
      { uk: 'вул. Броварська', en: 'Brovarska St', lat: 50.3635, lon: 30.9481 },
      { uk: 'вул. Привокзальна', en: 'Pryvokzalna St', lat: 50.3447, lon: 30.9629 },
    ],
  },
  {
    uk: 'Кам’янець-Подільський',
    en: 'Kamianets-Podilskyi',
    stations: 4,
    streets: [
      { uk: 'просп. Грушевського', en: 'Hrushevskoho Ave', lat: 48.6861, lon: 26.5872 },
      { uk: 'вул. Соборна', en: 'Soborna St', lat: 48.6833, lon: 26.5956 },
      { uk: 'вул. Князів Коріатовичів', en: 'Kniaziv Koriatovychiv St', lat: 48.6946, lon: 26.5806 },
      { uk: 'Хмельницьке шосе', en: 'Khmelnytske Hwy', lat: 48.6872, lon: 26.6019 },
    ],
  },
  {
    uk: 'Дрогобич',
    en: 'Drohobych',
    stations: 3,
    streets: [
      { uk: 'вул. Стрийська', en: 'Stryiska St', lat: 49.3471, lon: 23.5072 },
      { uk: 'вул. Бориславська', en: 'Boryslavska St', lat: 49.3454, lon: 23.5188 },
      { uk: 'вул. Самбірська', en: 'Sambirska St', lat: 49.3476, lon: 23.5005 },
    ],
  },
  {
    uk: 'Стрий',
    en: 'Stryi',
    stations: 3,
    streets: [
      { uk: 'вул. Шевченка', en: 'Shevchenka St', lat: 49.2635, lon: 23.8522 },
      { uk: 'вул. Львівська', en: 'Lvivska St', lat: 49.2648, lon: 23.8414 },
      { uk: 'вул. Дрогобицька', en: 'Drohobytska St', lat: 49.253, lon: 23.8503 },
    ],
  },
  {
    uk: 'Трускавець',
    en: 'Truskavets',
    stations: 3,
    streets: [
      { uk: 'вул. Суховоля', en: 'Sukhovolia St', lat: 49.2806, lon: 23.5044 },
      { uk: 'вул. Стебницька', en: 'Stebnytska St', lat: 49.2819, lon: 23.5101 },
      { uk: 'вул. Дрогобицька', en: 'Drohobytska St', lat: 49.2825, lon: 23.4963 },
    ],
  },
  {
    uk: 'Коломия',
    en: 'Kolomyia',
    stations: 3,
    streets: [
      { uk: 'вул. Грушевського', en: 'Hrushevskoho St', lat: 48.5274, lon: 25.036 },
      { uk: 'вул. Театральна', en: 'Teatralna St', lat: 48.5408, lon: 25.0423 },
      { uk: 'вул. Івана Мазепи', en: 'Ivana Mazepy St', lat: 48.5322, lon: 25.021 },
    ],
  },
  {
    uk: 'Бердичів',
    en: 'Berdychiv',
    stations: 3,
    streets: [
      { uk: 'вул. Житомирська', en: 'Zhytomyrska St', lat: 49.8993, lon: 28.6052 },
      { uk: 'вул. Вінницька', en: 'Vinnytska St', lat: 49.9009, lon: 28.6166 },
      { uk: 'вул. Європейська', en: 'Yevropeiska St', lat: 49.9053, lon: 28.5946 },
    ],
  },
  {
    uk: 'Ковель',
    en: 'Kovel',
    stations: 3,
    streets: [
      { uk: 'вул. Незалежності', en: 'Nezalezhnosti St', lat: 51.2151, lon: 24.7087 },
      { uk: 'бульв. Лесі Українки', en: 'Lesi Ukrainky Blvd', lat: 51.2187, lon: 24.7168 },
      { uk: 'вул. Варшавська', en: 'Varshavska St', lat: 51.2071, lon: 24.7014 },
    ],
  },
  {
    uk: 'Олександрія',
    en: 'Oleksandriia',
    stations: 3,
    streets: [
      { uk: 'просп. Соборний', en: 'Sobornyi Ave', lat: 48.6702, lon: 33.1204 },
      { uk: 'вул. Знам’янська', en: 'Znamianska St', lat: 48.6619, lon: 33.1059 },
      { uk: 'вул. Шевченка', en: 'Shevchenka St', lat: 48.6786, lon: 33.1082 },
    ],
  },
  {
    uk: 'Яремче',
    en: 'Yaremche',
    stations: 3,
    streets: [
      { uk: 'вул. Свободи', en: 'Svobody St', lat: 48.4539, lon: 24.5588 },
      { uk: 'вул. Довбуша', en: 'Dovbusha St', lat: 48.4573, lon: 24.5552 },
      { uk: 'вул. Петраша', en: 'Petrasha St', lat: 48.4523, lon: 24.5524 },
    ],
  },
  {
    uk: 'Поляниця',
    en: 'Polianytsia',
    stations: 2,
    streets: [
      { uk: 'вул. Карпатська', en: 'Karpatska St', lat: 48.3719, lon: 24.4317 },
      { uk: 'вул. Вишнева', en: 'Vyshneva St', lat: 48.3687, lon: 24.4262 },
    ],
  },
];
