-- Staff say why they move money, ban or force a state: a list of reasons, and the reason of what waits for a second person.
-- Schema: 800c0b2f661c3af01e3d95233bfe5797b3c00abd86ab8819f975de1a92e0cd3f

create table staff_reasons (
  id bigint generated always as identity primary key,
  position integer not null,
  -- By language.
  texts jsonb not null,
  -- What it is offered for; the contract names the kinds.
  kinds text[] not null check (cardinality(kinds) > 0)
);
create index staff_reasons_position on staff_reasons (position, id);

insert into staff_reasons (position, texts, kinds) values
  (1, '{"uk": "Зарядка не почалася", "en": "The charge did not start", "pl": "Ładowanie się nie rozpoczęło"}', '{refund,give}'),
  (2, '{"uk": "Зарядка обірвалася", "en": "The charge broke off", "pl": "Ładowanie zostało przerwane"}', '{refund,give,settle}'),
  (3, '{"uk": "Списано зайве", "en": "Too much was charged", "pl": "Pobrano za dużo"}', '{refund,settle}'),
  (4, '{"uk": "Оплачено двічі", "en": "Paid twice", "pl": "Zapłacono dwa razy"}', '{refund}'),
  (5, '{"uk": "Вибачення за незручності", "en": "Apology for the trouble", "pl": "Przeprosiny za niedogodności"}', '{give}'),
  (6, '{"uk": "Акція або подарунок", "en": "Promotion or gift", "pl": "Promocja lub prezent"}', '{give}'),
  (7, '{"uk": "Зараховано помилково", "en": "Credited by mistake", "pl": "Zasilono przez pomyłkę"}', '{take}'),
  (8, '{"uk": "На прохання водія", "en": "At the driver’s request", "pl": "Na prośbę kierowcy"}', '{refund,take,settle,force}'),
  (9, '{"uk": "Станція не повідомила про кінець", "en": "The station did not report the end", "pl": "Stacja nie zgłosiła końca"}', '{settle,force}'),
  (10, '{"uk": "Лічильник показав неправильно", "en": "The meter was wrong", "pl": "Licznik pokazał błędną wartość"}', '{refund,settle,force}'),
  (11, '{"uk": "Стан не відповідає дійсності", "en": "The state was not true", "pl": "Stan był niezgodny z rzeczywistością"}', '{force}'),
  (12, '{"uk": "Шахрайство", "en": "Fraud", "pl": "Oszustwo"}', '{take,ban}'),
  (13, '{"uk": "Порушення правил", "en": "The rules were broken", "pl": "Naruszenie regulaminu"}', '{ban}'),
  (14, '{"uk": "Помилкове блокування", "en": "Banned by mistake", "pl": "Omyłkowa blokada"}', '{ban}');

-- As it was given; null when it was not, or when the kind asks for none.
alter table staff_approvals add column reason text check (length(reason) <= 500);
