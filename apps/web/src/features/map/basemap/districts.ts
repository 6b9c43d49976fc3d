import type { Label } from './label.ts';

/** Districts of the largest cities: Ukrainian | English | Polish | latitude | longitude. */
const rows = `
Центральний|Tsentralnyi|Centralny|48.4660|35.0400
Соборний|Sobornyi|Soborny|48.4480|35.0720
Шевченківський|Shevchenkivskyi|Szewczenkiwski|48.4400|35.0250
Чечелівський|Chechelivskyi|Czecheliwski|48.4550|34.9850
Новокодацький|Novokodatskyi|Nowokodacki|48.4800|34.9400
Амур-Нижньодніпровський|Amur-Nyzhniodniprovskyi|Amur-Niżniodniprowski|48.5180|35.0550
Індустріальний|Industrialnyi|Industrialny|48.5150|35.0950
Самарський|Samarskyi|Samarski|48.4650|35.1600
Шевченківський|Shevchenkivskyi|Szewczenkiwski|50.4680|30.4550
Печерський|Pecherskyi|Peczerski|50.4270|30.5450
Подільський|Podilskyi|Podilski|50.5000|30.4450
Оболонський|Obolonskyi|Obołoński|50.5150|30.4950
Дарницький|Darnytskyi|Darnicki|50.4000|30.6600
Дніпровський|Dniprovskyi|Dniprowski|50.4600|30.6250
Деснянський|Desnianskyi|Desniański|50.5150|30.6150
Святошинський|Sviatoshynskyi|Swiatoszyński|50.4550|30.3700
Солом’янський|Solomianskyi|Sołomiański|50.4250|30.4450
Голосіївський|Holosiivskyi|Hołosijiwski|50.3850|30.5100
Шевченківський|Shevchenkivskyi|Szewczenkiwski|50.0250|36.2200
Київський|Kyivskyi|Kyjiwski|50.0200|36.2900
Салтівський|Saltivskyi|Sałtiwski|50.0150|36.3400
Основ’янський|Osnovianskyi|Osnowiański|49.9550|36.2250
Індустріальний|Industrialnyi|Industrialny|49.9400|36.3800
Холодногірський|Kholodnohirskyi|Chołodnohirski|49.9850|36.1700
Приморський|Prymorskyi|Prymorski|46.4700|30.7350
Київський|Kyivskyi|Kyjiwski|46.3950|30.7200
Хаджибейський|Khadzhybeiskyi|Chadżybejski|46.4550|30.6850
Пересипський|Peresypskyi|Peresypski|46.5500|30.7750
Галицький|Halytskyi|Halicki|49.8420|24.0310
Шевченківський|Shevchenkivskyi|Szewczenkiwski|49.8650|24.0300
Личаківський|Lychakivskyi|Łyczakowski|49.8350|24.0700
Сихівський|Sykhivskyi|Sychowski|49.7950|24.0600
Франківський|Frankivskyi|Frankowski|49.8200|23.9950
Залізничний|Zaliznychnyi|Zaliznyczny|49.8400|23.9700
Олександрівський|Oleksandrivskyi|Ołeksandriwski|47.8150|35.1800
Вознесенівський|Voznesenivskyi|Wozneseniwski|47.8400|35.1300
Дніпровський|Dniprovskyi|Dniprowski|47.8750|35.0500
Хортицький|Khortytskyi|Chortycki|47.8350|35.0100
Шевченківський|Shevchenkivskyi|Szewczenkiwski|47.8550|35.2200
Металургійний|Metalurhiinyi|Metalurgijny|47.9000|33.3900
Саксаганський|Saksahanskyi|Saksahański|47.9500|33.4400
Довгинцівський|Dovhyntsivskyi|Dowhynciwski|47.8950|33.4700
`;

/** Shown where the embedded map has nothing else to recognise a place by. */
export function districtLabels(): Label[] {
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [uk = '', en = '', pl = '', lat, lon] = row.split('|');
      const place = { lat: Number(lat), lon: Number(lon) };
      return { names: { uk, en, pl }, ...place, look: 'district', fromZoom: 11.5, toZoom: 20, weight: 400 };
    });
}
