// Made by scripts/facts.ts from the npm packages countries-list and country-json (MIT; see NOTICE). One subject a line.
export const countries = `
country | capital | currency | language | continent | government | religion | dish | region | tld
Ascension Island | Georgetown | St. Helena Pound | English | Africa |  |  |  |  |
Andorra | Andorra la Vella | Euro | Catalan | Europe | Parliamentary Coprincipality | Christianity |  | Southern Europe | .ad
United Arab Emirates | Abu Dhabi | United Arab Emirates Dirham | Arabic | Asia | Emirate Federation | Islam |  | Middle East | .ae
Afghanistan | Kabul | Afghan Afghani | Pashto | Asia | Islamic Emirate | Islam | Kabuli Palaw | Southern and Central Asia | .af
Antigua and Barbuda | Saint John's | East Caribbean Dollar | English | North America | Constitutional Monarchy | Christianity | Pepperpot, Fungee | Caribbean | .ag
Anguilla | The Valley | East Caribbean Dollar | English | North America | Dependent Territory of the UK | Christianity |  | Caribbean | .ai
Albania | Tirana | Albanian Lek | Albanian | Europe | Republic | Islam | Tavë kosi | Southern Europe | .al
Armenia | Yerevan | Armenian Dram | Armenian | Asia | Republic | Christianity | Harissa, Dolma, Khorovats | Middle East | .am
Angola | Luanda | Angolan Kwanza | Portuguese | Africa | Republic | Christianity | Moamba de galinha | Central Africa | .ao
Antarctica |  |  |  | Antarctica | Co-administrated |  |  | Antarctica | .aq
Argentina | Buenos Aires | Argentine Peso | Spanish | South America | Federal Republic | Christianity | Asado | South America | .ar
American Samoa | Pago Pago | US Dollar | English | Oceania | US Territory | Christianity |  | Polynesia | .as
Austria | Vienna | Euro | German | Europe | Federal Republic | Christianity | Wiener schnitzel, Tafelspitz | Western Europe | .at
Australia | Canberra | Australian Dollar | English | Oceania | Federation Constitutional Monarchy | Christianity | Meat pie, Roast lamb | Australia and New Zealand | .au
Aruba | Oranjestad | Aruban Florin | Dutch | North America | Nonmetropolitan Territory of The Netherlands | Christianity | Keshi yena | Caribbean | .aw
Aland | Mariehamn | Euro | Swedish | Europe |  |  |  |  |
Azerbaijan | Baku | Azerbaijani Manat | Azerbaijani | Asia | Federal Republic | Islam | Dolma | Middle East | .az
Bosnia and Herzegovina | Sarajevo | Bosnia-Herzegovina Convertible Mark | Bosnian | Europe | Federal Republic | Christianity | Bosnian pot | Southern Europe | .ba
Barbados | Bridgetown | Barbadian Dollar | English | North America | Republic | Christianity | Cou-Cou and Flying Fish | Caribbean | .bb
Bangladesh | Dhaka | Bangladeshi Taka | Bengali | Asia | Republic | Islam | Rice, Fish, Chicken Korma | Southern and Central Asia | .bd
Belgium | Brussels | Euro | Dutch | Europe | Federation Constitutional Monarchy | Christianity | Moules-frites | Western Europe | .be
Burkina Faso | Ouagadougou | West African CFA Franc | French | Africa | Republic | Islam |  | Western Africa | .bf
Bulgaria | Sofia | Euro | Bulgarian | Europe | Republic | Christianity | Banitsa, Bob chorba | Eastern Europe | .bg
Bahrain | Manama | Bahraini Dinar | Arabic | Asia | Monarchy (Emirate) | Islam | Machboos | Middle East | .bh
Burundi | Gitega | Burundian Franc | French | Africa | Republic | Christianity |  | Eastern Africa | .bi
Benin | Porto-Novo | West African CFA Franc | French | Africa | Republic | Christianity |  | Western Africa | .bj
Saint Barthelemy | Gustavia | Euro | French | North America |  |  |  |  |
Bermuda | Hamilton | Bermudan Dollar | English | North America | Dependent Territory of the UK | Christianity | Bermuda fish chowder | North America | .bm
Brunei | Bandar Seri Begawan | Brunei Dollar | Malay | Asia | Monarchy (Sultanate) | Islam | Ambuyat | Southeast Asia | .bn
Bolivia | Sucre | Bolivian Boliviano | Spanish | South America | Republic | Christianity | Salteñas | South America | .bo
Bonaire | Kralendijk | US Dollar | Dutch | North America |  |  |  |  |
Brazil | Brasília | Brazilian Real | Portuguese | South America | Federal Republic | Christianity | Feijoada | South America | .br
Bahamas | Nassau | Bahamian Dollar | English | North America | Constitutional Monarchy | Christianity | Crack conch with peas and rice | Caribbean | .bs
Bhutan | Thimphu | Bhutanese Ngultrum | Dzongkha | Asia | Monarchy | Buddhism | Ema datshi | Southern and Central Asia | .bt
Bouvet Island |  | Norwegian Krone | Norwegian | Antarctica | Dependent Territory of Norway |  |  | Antarctica | .bv
Botswana | Gaborone | Botswanan Pula | English | Africa | Republic | Christianity | Seswaa | Southern Africa | .bw
Belarus | Minsk | Belarusian Ruble | Belarusian | Europe | Republic | Christianity | Draniki | Eastern Europe | .by
Belize | Belmopan | Belize Dollar | English | North America | Constitutional Monarchy | Christianity | Boil up | Central America | .bz
Canada | Ottawa | Canadian Dollar | English | North America | Constitutional Monarchy, Federation | Christianity | Kraft Dinner | North America | .ca
Cocos (Keeling) Islands | West Island | Australian Dollar | English | Asia | Territory of Australia |  |  | Australia and New Zealand | .cc
Democratic Republic of the Congo | Kinshasa | Congolese Franc | French | Africa | Republic | Christianity |  |  | .cd
Central African Republic | Bangui | Central African CFA Franc | French | Africa | Republic | Christianity |  | Central Africa | .cf
Republic of the Congo | Brazzaville | Central African CFA Franc | French | Africa | Republic | Christianity |  | Central Africa | .cg
Switzerland | Bern | Swiss Franc | German | Europe | Federation | Christianity | Cervelat, Fondue, Rösti | Western Europe | .ch
Ivory Coast | Yamoussoukro | West African CFA Franc | French | Africa | Republic | Islam | Fufu, Kedjenou | Western Africa | .ci
Cook Islands | Avarua | New Zealand Dollar | English | Oceania | Nonmetropolitan Territory of New Zealand | Christianity |  | Polynesia | .ck
Chile | Santiago | Chilean Peso | Spanish | South America | Republic | Christianity | Empanada | South America | .cl
Cameroon | Yaoundé | Central African CFA Franc | English | Africa | Republic | Christianity | Ndolé | Central Africa | .cm
China | Beijing | Chinese Yuan | Chinese | Asia | People's Republic |  | Peking Duck | Eastern Asia | .cn
Colombia | Bogotá | Colombian Peso | Spanish | South America | Republic | Christianity | Ajiaco, Bandeja paisa | South America | .co
Costa Rica | San José | Costa Rican Colón | Spanish | North America | Republic | Christianity | Gallo pinto | Central America | .cr
Cuba | Havana | Cuban Peso | Spanish | North America | Socialistic Republic | Christianity | Ropa vieja, Moros y cristianos | Caribbean | .cu
Cabo Verde | Praia | Cape Verdean Escudo | Portuguese | Africa | Republic | Christianity | Cachupa | Western Africa | .cv
Curacao | Willemstad | Caribbean guilder | Dutch | North America |  | Christianity |  |  |
Christmas Island | Flying Fish Cove | Australian Dollar | English | Asia | Territory of Australia |  |  | Australia and New Zealand | .cx
Cyprus | Nicosia | Euro | Greek | Europe | Republic | Christianity | Fasolada | Middle East | .cy
Czechia | Prague | Czech Koruna | Czech | Europe | Republic |  | roast pork with dumplings and sauerkraut | Eastern Europe | .cz
Germany | Berlin | Euro | German | Europe | Federal Republic | Christianity | Currywurst, Sauerbraten, Bratwurst | Western Europe | .de
Djibouti | Djibouti | Djiboutian Franc | French | Africa | Republic | Islam |  | Eastern Africa | .dj
Denmark | Copenhagen | Danish Krone | Danish | Europe | Constitutional Monarchy | Christianity | fried pork and potato-based dish | Nordic Countries | .dk
Dominica | Roseau | East Caribbean Dollar | English | North America | Republic | Christianity | Mountain chicken, Fish broth | Caribbean | .dm
Dominican Republic | Santo Domingo | Dominican Peso | Spanish | North America | Republic | Christianity | rice, red beans, and meat | Caribbean | .do
Algeria | Algiers | Algerian Dinar | Arabic | Africa | Republic | Islam | Couscous | Northern Africa | .dz
Ecuador | Quito | US Dollar | Spanish | South America | Republic | Christianity | Encebollado, Fritada, Guatitas | South America | .ec
Estonia | Tallinn | Euro | Estonian | Europe | Republic |  | sauerkraut stew | Baltic Countries | .ee
Egypt | Cairo | Egyptian Pound | Arabic | Africa | Republic | Islam | Ful medames, kushari | Northern Africa | .eg
Western Sahara | El Aaiún | Moroccan Dirham | Spanish | Africa | Occupied by Marocco | Islam |  | Northern Africa | .eh
Eritrea | Asmara | Eritrean Nakfa | Tigrinya | Africa | Republic | Christianity | Zigini with injera, Gored gored, raw meat | Eastern Africa | .er
Spain | Madrid | Euro | Spanish | Europe | Constitutional Monarchy | Christianity | Tortilla española | Southern Europe | .es
Ethiopia | Addis Ababa | Ethiopian Birr | Amharic | Africa | Republic | Christianity | Wat with injera, Fit-fit | Eastern Africa | .et
Finland | Helsinki | Euro | Finnish | Europe | Republic | Christianity | Karjalanpaisti, Mämmi, Sautéed reindeer | Nordic Countries | .fi
Fiji | Suva | Fijian Dollar | English | Oceania | Republic | Christianity |  | Melanesia | .fj
Falkland Islands | Stanley | Falkland Islands Pound | English | South America | Dependent Territory of the UK | Christianity |  | South America | .fk
Micronesia | Palikir | US Dollar | English | Oceania | Federal Republic |  |  | Micronesia |
Faroe Islands | Tórshavn | Danish Krone | Faroese | Europe | Part of Denmark |  |  | Nordic Countries |
France | Paris | Euro | French | Europe | Republic | Christianity | Crêpe, Pot-au-feu, Macaron, Bisque | Western Europe | .fr
Gabon | Libreville | Central African CFA Franc | French | Africa | Republic | Christianity | Poulet Nyembwe | Central Africa | .ga
United Kingdom | London | British Pound | English | Europe | Constitutional Monarchy | Christianity | Fish and chips, Chicken tikka masala (Indian-British curry) | British Isles | .gb
Grenada | St. George's | East Caribbean Dollar | English | North America | Constitutional Monarchy | Christianity | Oil Down | Caribbean | .gd
Georgia | Tbilisi | Georgian Lari | Georgian | Asia | Republic | Christianity | Khachapuri, khinkali | Middle East | .ge
French Guiana | Cayenne | Euro | French | South America | Overseas Department of France | Christianity |  | South America | .gf
Guernsey | St. Peter Port | British Pound | English | Europe |  |  |  |  |
Ghana | Accra | Ghanaian Cedi | English | Africa | Republic | Christianity | Fufu | Western Africa | .gh
Gibraltar | Gibraltar | Gibraltar Pound | English | Europe | Dependent Territory of the UK | Christianity |  | Southern Europe | .gi
Greenland | Nuuk | Danish Krone | Greenlandic | North America | Part of Denmark | Christianity | Kiviak | North America | .gl
Gambia | Banjul | Gambian Dalasi | English | Africa | Republic | Islam |  | Western Africa | .gm
Guinea | Conakry | Guinean Franc | French | Africa | Republic | Islam |  | Western Africa | .gn
Guadeloupe | Basse-Terre | Euro | French | North America | Overseas Department of France | Christianity |  | Caribbean | .gp
Equatorial Guinea | Malabo | Central African CFA Franc | Spanish | Africa | Republic | Christianity |  | Central Africa | .gq
Greece | Athens | Euro | Greek | Europe | Republic | Christianity | Fasolada, Moussaka, Souvlaki | Southern Europe | .gr
South Georgia and the South Sandwich Islands | King Edward Point | British Pound | English | Antarctica | Dependent Territory of the UK |  |  | Antarctica | .gs
Guatemala | Guatemala City | Guatemalan Quetzal | Spanish | North America | Republic | Christianity | Fiambre, Pepian (hearty meat stew) | Central America | .gt
Guam | Hagåtña | US Dollar | English | Oceania | US Territory | Christianity |  | Micronesia | .gu
Guinea-Bissau | Bissau | West African CFA Franc | Portuguese | Africa | Republic | Islam |  | Western Africa | .gw
Guyana | Georgetown | Guyanese Dollar | English | South America | Republic | Christianity | Pepperpot | South America | .gy
Hong Kong | City of Victoria | Hong Kong Dollar | Chinese | Asia | Special Administrative Region of China |  | Char siu | Eastern Asia | .hk
Heard Island and McDonald Islands |  | Australian Dollar | English | Antarctica | Territory of Australia |  |  | Antarctica | .hm
Honduras | Tegucigalpa | Honduran Lempira | Spanish | North America | Republic | Christianity | Baleada, Carne asada, Sopa de Caracol (Conch Soup) | Central America | .hn
Croatia | Zagreb | Euro | Croatian | Europe | Republic | Christianity | Istrian stew | Southern Europe | .hr
Haiti | Port-au-Prince | Haitian Gourde | French | North America | Republic | Christianity | Red beans and rice | Caribbean | .ht
Hungary | Budapest | Hungarian Forint | Hungarian | Europe | Republic | Christianity | Gulyás | Eastern Europe | .hu
Indonesia | Jakarta | Indonesian Rupiah | Indonesian | Asia | Republic | Islam | Tumpeng Sate, Soto, Nasi goreng | Southeast Asia | .id
Ireland | Dublin | Euro | Irish | Europe | Republic | Christianity | Colcannon, Irish stew | British Isles | .ie
Israel | Jerusalem | Israeli New Shekel | Hebrew | Asia | Republic | Judaism | Hummus, falafel, Meorav Yerushalmi | Middle East | .il
Isle of Man | Douglas | British Pound | English | Europe |  | Christianity |  |  |
India | New Delhi | Indian Rupee | Hindi | Asia | Federal Republic | Hinduism |  | Southern and Central Asia | .in
British Indian Ocean Territory | Diego Garcia | US Dollar | English | Asia | Dependent Territory of the UK |  |  | Eastern Africa | .io
Iraq | Baghdad | Iraqi Dinar | Arabic | Asia | Republic | Islam | Samak masgouf, Kleicha | Middle East | .iq
Iran | Tehran | Iranian Rial | Persian | Asia | Islamic Republic | Islam | Chelo kabab, Ghormeh sabzi | Southern and Central Asia | .ir
Iceland | Reykjavik | Icelandic Króna | Icelandic | Europe | Republic | Christianity | Hákarl, Þorramatur | Nordic Countries | .is
Italy | Rome | Euro | Italian | Europe | Republic | Christianity | Pasta, Polenta, Pizza, Risotto | Southern Europe | .it
Jersey | Saint Helier | British Pound | English | Europe |  |  |  |  |
Jamaica | Kingston | Jamaican Dollar | English | North America | Constitutional Monarchy | Christianity | Ackee and Saltfish, Jamaican patty | Caribbean | .jm
Jordan | Amman | Jordanian Dinar | Arabic | Asia | Constitutional Monarchy | Islam | Mansaf | Middle East | .jo
Japan | Tokyo | Japanese Yen | Japanese | Asia | Constitutional Monarchy |  | Sushi, Japanese curry, Ramen | Eastern Asia | .jp
Kenya | Nairobi | Kenyan Shilling | English | Africa | Republic | Christianity | Ugali, Sukuma wiki, Nyama choma | Eastern Africa | .ke
Kyrgyzstan | Bishkek | Kyrgyz Som | Kyrgyz | Asia | Republic | Islam | Beshbarmak, Laghman, Kuurdak | Southern and Central Asia | .kg
Cambodia | Phnom Penh | Cambodian Riel | Cambodian | Asia | Constitutional Monarchy | Buddhism | Amok trey | Southeast Asia | .kh
Kiribati | South Tarawa | Australian Dollar | English | Oceania | Republic | Christianity |  | Micronesia | .ki
Comoros | Moroni | Comorian Franc | Arabic | Africa | Republic | Islam |  | Eastern Africa | .km
Saint Kitts and Nevis | Basseterre | East Caribbean Dollar | English | North America | Constitutional Monarchy | Christianity |  | Caribbean | .kn
North Korea | Pyongyang | North Korean Won | Korean | Asia | Socialistic Republic |  | Galbi, Kimchi | Eastern Asia | .kp
South Korea | Seoul | South Korean Won | Korean | Asia | Republic |  | Kimchi, bulgogi | Eastern Asia | .kr
Kuwait | Kuwait City | Kuwaiti Dinar | Arabic | Asia | Constitutional Monarchy (Emirate) | Islam | Machboos | Middle East | .kw
Cayman Islands | George Town | Cayman Islands Dollar | English | North America | Dependent Territory of the UK | Christianity |  | Caribbean | .ky
Kazakhstan | Astana | Kazakhstani Tenge | Kazakh | Asia | Republic | Islam |  | Southern and Central Asia | .kz
Laos | Vientiane | Laotian Kip | Laotian | Asia | Republic | Buddhism | Tum Mak Hoong (Som Tum, its Thai name) | Southeast Asia | .la
Lebanon | Beirut | Lebanese Pound | Arabic | Asia | Republic | Islam | Kibbeh | Middle East | .lb
Saint Lucia | Castries | East Caribbean Dollar | English | North America | Constitutional Monarchy | Christianity |  | Caribbean | .lc
Liechtenstein | Vaduz | Swiss Franc | German | Europe | Constitutional Monarchy | Christianity |  | Western Europe | .li
Sri Lanka | Colombo | Sri Lankan Rupee | Sinhalese | Asia | Unitary Semi-Presidential Republic | Buddhism | Rice and curry, pittu, kiribath, wholemeal roti, string hoppers, wattalapam, kottu, and appam | Southern Asia | .lk
Liberia | Monrovia | Liberian Dollar | English | Africa | Republic | Christianity |  | Western Africa | .lr
Lesotho | Maseru | Lesotho Loti | English | Africa | Constitutional Monarchy | Christianity |  | Southern Africa | .ls
Lithuania | Vilnius | Euro | Lithuanian | Europe | Republic | Christianity | Cepelinai | Baltic Countries | .lt
Luxembourg | Luxembourg | Euro | French | Europe | Constitutional Monarchy | Christianity | Judd mat Gaardebounen, Bouneschlupp | Western Europe | .lu
Latvia | Riga | Euro | Latvian | Europe | Republic | Christianity | Latke | Baltic Countries | .lv
Libya | Tripoli | Libyan Dinar | Arabic | Africa | Socialistic State | Islam |  | Northern Africa | .ly
Morocco | Rabat | Moroccan Dirham | Arabic | Africa | Constitutional Monarchy | Islam | Couscous, Tagine | Northern Africa | .ma
Monaco | Monaco | Euro | French | Europe | Constitutional Monarchy | Christianity |  | Western Europe | .mc
Moldova | Chișinău | Moldovan Leu | Romanian | Europe | Republic | Christianity | Mămăligă, Sarmale, Răcituri | Eastern Europe | .md
Montenegro | Podgorica | Euro | Serbian | Europe |  | Christianity |  |  |
Saint Martin | Marigot | Euro | English | North America |  |  |  |  |
Madagascar | Antananarivo | Malagasy Ariary | French | Africa | Federal Republic | Christianity | Romazava | Eastern Africa | .mg
Marshall Islands | Majuro | US Dollar | English | Oceania | Republic | Christianity |  | Micronesia | .mh
North Macedonia | Skopje | Macedonian Denar | Macedonian | Europe | Republic | Christianity | Tavče Gravče | Southern Europe | .mk
Mali | Bamako | West African CFA Franc | French | Africa | Republic | Islam |  | Western Africa | .ml
Myanmar | Naypyidaw | Myanmar Kyat | Burmese | Asia | Republic | Buddhism |  | Southeast Asia | .mm
Mongolia | Ulan Bator | Mongolian Tugrik | Mongolian | Asia | Republic | Buddhism | Buuz | Eastern Asia | .mn
Macao |  | Macanese Pataca | Chinese | Asia | Special Administrative Region of China | Folk Religions |  | Eastern Asia | .mo
Northern Mariana Islands | Saipan | US Dollar | English | Oceania | Commonwealth of the US | Christianity |  | Micronesia | .mp
Martinique | Fort-de-France | Euro | French | North America | Overseas Department of France | Christianity |  | Caribbean | .mq
Mauritania | Nouakchott | Mauritanian Ouguiya | Arabic | Africa | Republic | Islam | Thieboudienne, Couscous | Western Africa | .mr
Montserrat | Plymouth | East Caribbean Dollar | English | North America | Dependent Territory of the UK | Christianity |  | Caribbean | .ms
Malta | Valletta | Euro | Maltese | Europe | Republic | Christianity | Pastizzi, Rabbit Stew (Fenkata) | Southern Europe | .mt
Mauritius | Port Louis | Mauritian Rupee | English | Africa | Republic | Hinduism |  | Eastern Africa | .mu
Maldives | Malé | Maldivian Rufiyaa | Divehi | Asia | Republic | Islam |  | Southern and Central Asia | .mv
Malawi | Lilongwe | Malawian Kwacha | English | Africa | Republic | Christianity |  | Eastern Africa | .mw
Mexico | Mexico City | Mexican Peso | Spanish | North America | Federal Republic | Christianity | Tacos, Mole poblano, Chiles en nogada | Central America | .mx
Malaysia | Kuala Lumpur | Malaysian Ringgit | Malay | Asia | Constitutional Monarchy | Islam | Nasi lemak, Satay, Laksa, Roti canai | Southeast Asia | .my
Mozambique | Maputo | Mozambican Metical | Portuguese | Africa | Republic | Christianity |  | Eastern Africa | .mz
Namibia | Windhoek | Namibian Dollar | English | Africa | Republic | Christianity |  | Southern Africa | .na
New Caledonia | Nouméa | CFP Franc | French | Oceania | Nonmetropolitan Territory of France | Christianity |  | Melanesia | .nc
Niger | Niamey | West African CFA Franc | French | Africa | Republic | Islam |  | Western Africa | .ne
Norfolk Island | Kingston | Australian Dollar | English | Oceania | Territory of Australia |  |  | Australia and New Zealand | .nf
Nigeria | Abuja | Nigerian Naira | English | Africa | Federal Republic | Christianity | Jollof rice | Western Africa | .ng
Nicaragua | Managua | Nicaraguan Córdoba | Spanish | North America | Republic | Christianity | Gallo pinto | Central America | .ni
Netherlands | Amsterdam | Euro | Dutch | Europe | Constitutional Monarchy | Christianity | Stamppot, hutspot | Western Europe | .nl
Norway | Oslo | Norwegian Krone | Norwegian | Europe | Constitutional Monarchy | Christianity | Fårikål | Nordic Countries | .no
Nepal | Kathmandu | Nepalese Rupee | Nepali | Asia | Federal parliamentary republic | Hinduism | Dal bhat | Southern and Central Asia | .np
Nauru | Yaren | Australian Dollar | English | Oceania | Republic | Christianity |  | Micronesia | .nr
Niue | Alofi | New Zealand Dollar | English | Oceania | Nonmetropolitan Territory of New Zealand | Christianity |  | Polynesia | .nu
New Zealand | Wellington | New Zealand Dollar | English | Oceania | Constitutional Monarchy | Christianity | Bacon and egg pie, lamb, pavlova | Australia and New Zealand | .nz
Oman | Muscat | Omani Rial | Arabic | Asia | Monarchy (Sultanate) | Islam |  | Middle East | .om
Panama | Panama City | Panamanian Balboa | Spanish | North America | Republic | Christianity | Sancocho de gallina | Central America | .pa
Peru | Lima | Peruvian Sol | Spanish | South America | Republic | Christianity | Ceviche | South America | .pe
French Polynesia | Papeetē | CFP Franc | French | Oceania | Nonmetropolitan Territory of France | Christianity |  | Polynesia | .pf
Papua New Guinea | Port Moresby | Papua New Guinean Kina | English | Oceania | Constitutional Monarchy | Christianity |  | Melanesia | .pg
Philippines | Manila | Philippine Peso | English | Asia | Republic | Christianity | Adobo, Lechon (both unofficial) | Southeast Asia | .ph
Pakistan | Islamabad | Pakistani Rupee | English | Asia | Republic | Islam | Biryani, Nihari | Southern and Central Asia | .pk
Poland | Warsaw | Polish Zloty | Polish | Europe | Republic | Christianity | Bigos, Pierogi, Kotlet schabowy, Żurek | Eastern Europe | .pl
Saint Pierre and Miquelon | Saint-Pierre | Euro | French | North America | Territorial Collectivity of France | Christianity |  | North America | .pm
Pitcairn Islands | Adamstown | New Zealand Dollar | English | Oceania | Dependent Territory of the UK |  |  | Polynesia | .pn
Puerto Rico | San Juan | US Dollar | Spanish | North America | Commonwealth of the US | Christianity | Arroz con gandules, Mofongo | Caribbean | .pr
Palestine | Ramallah | Israeli New Shekel | Arabic | Asia | Autonomous Area | Islam | Arab salad, Falafel, Mujaddara, Musakhan, Hummus with tahini | Middle East | .ps
Portugal | Lisbon | Euro | Portuguese | Europe | Republic | Christianity | Bacalhau | Southern Europe | .pt
Palau | Ngerulmud | US Dollar | English | Oceania | Republic | Christianity |  | Micronesia | .pw
Paraguay | Asunción | Paraguayan Guarani | Spanish | South America | Republic | Christianity | Sopa paraguaya | South America | .py
Qatar | Doha | Qatari Riyal | Arabic | Asia | Monarchy | Islam |  | Middle East | .qa
Reunion | Saint-Denis | Euro | French | Africa | Overseas Department of France | Christianity |  | Eastern Africa | .re
Romania | Bucharest | Romanian Leu | Romanian | Europe | Republic | Christianity | Mămăligă, Sarmale, Mici | Eastern Europe | .ro
Serbia | Belgrade | Serbian Dinar | Serbian | Europe | Republic | Christianity |  | Central and Southeast Europe | .rs
Russia | Moscow | Russian Ruble | Russian | Asia | Federal Republic | Christianity |  | Eastern Europe | .ru
Rwanda | Kigali | Rwandan Franc | Rwandi | Africa | Republic | Christianity |  | Eastern Africa | .rw
Saudi Arabia | Riyadh | Saudi Riyal | Arabic | Asia | Monarchy | Islam | Kabsa | Middle East | .sa
Solomon Islands | Honiara | Solomon Islands Dollar | English | Oceania | Constitutional Monarchy | Christianity |  | Melanesia | .sb
Seychelles | Victoria | Seychellois Rupee | French | Africa | Republic | Christianity |  | Eastern Africa | .sc
Sudan | Khartoum | Sudanese Pound | Arabic | Africa | Islamic Republic | Islam | Ful medames | Northern Africa | .sd
Sweden | Stockholm | Swedish Krona | Swedish | Europe | Constitutional Monarchy | Christianity | Köttbullar, Kräftskiva, Surströmming, Ostkaka | Nordic Countries | .se
Singapore | Singapore | Singapore Dollar | English | Asia | Republic | Buddhism | Chilli crab, Hainanese Chicken Rice | Southeast Asia | .sg
Saint Helena | Jamestown | St. Helena Pound | English | Africa | Dependent Territory of the UK | Christianity |  | Western Africa | .sh
Slovenia | Ljubljana | Euro | Slovenian | Europe | Republic | Christianity | Ajdovi žganci, Belokranjska povitica, Obara | Southern Europe | .si
Svalbard and Jan Mayen | Longyearbyen | Norwegian Krone | Norwegian | Europe | Dependent Territory of Norway |  |  | Nordic Countries | .sj
Slovakia | Bratislava | Euro | Slovak | Europe | Republic | Christianity | Bryndzové halušky | Eastern Europe | .sk
Sierra Leone | Freetown | Sierra Leonean Leone | English | Africa | Republic | Islam |  | Western Africa | .sl
San Marino | City of San Marino | Euro | Italian | Europe | Republic | Christianity | Torta Tre Monti | Southern Europe | .sm
Senegal | Dakar | West African CFA Franc | French | Africa | Republic | Islam | Thieboudienne | Western Africa | .sn
Somalia | Mogadishu | Somali Shilling | Somalia | Africa | Republic | Islam | Canjeero with goat stew | Eastern Africa | .so
Suriname | Paramaribo | Surinamese Dollar | Dutch | South America | Republic | Christianity |  | South America | .sr
South Sudan | Juba | South Sudanese Pound | English | Africa |  | Christianity |  | Eastern Africa | .ss
Sao Tome and Principe | São Tomé | São Tomé & Príncipe Dobra | Portuguese | Africa | Republic | Christianity |  | Central Africa | .st
El Salvador | San Salvador | US Dollar | Spanish | North America | Republic | Christianity | Pupusa | Central America | .sv
Sint Maarten | Philipsburg | Caribbean guilder | Dutch | North America |  |  |  |  |
Syria | Damascus | Syrian Pound | Arabic | Asia | Republic | Islam | Kibbeh | Middle East | .sy
Eswatini | Lobamba | Swazi Lilangeni | English | Africa | Monarchy | Christianity |  | Southern Africa | .sz
Tristan da Cunha | Edinburgh of the Seven Seas | St. Helena Pound | English | Africa |  |  |  |  |
Turks and Caicos Islands | Cockburn Town | US Dollar | English | North America | Dependent Territory of the UK | Christianity |  | Caribbean | .tc
Chad | N'Djamena | Central African CFA Franc | French | Africa | Republic | Islam |  | Central Africa | .td
French Southern Territories | Port-aux-Français | Euro | French | Antarctica | Nonmetropolitan Territory of France |  |  | Antarctica | .tf
Togo | Lomé | West African CFA Franc | French | Africa | Republic | Christianity |  | Western Africa | .tg
Thailand | Bangkok | Thai Baht | Thai | Asia | Constitutional Monarchy | Buddhism | Pad Thai, Tom Yum Goong | Southeast Asia | .th
Tajikistan | Dushanbe | Tajikistani Somoni | Tajik | Asia | Republic | Islam | O'sh (pilaf) | Southern and Central Asia | .tj
Tokelau | Fakaofo | New Zealand Dollar | English | Oceania | Nonmetropolitan Territory of New Zealand | Christianity |  | Polynesia | .tk
East Timor | Dili | US Dollar | Portuguese | Oceania | Administrated by the UN |  |  | Southeast Asia | .tl
Turkmenistan | Ashgabat | Turkmenistani Manat | Turkmen | Asia | Republic | Islam | Palaw | Southern and Central Asia | .tm
Tunisia | Tunis | Tunisian Dinar | Arabic | Africa | Republic | Islam | Couscous, Kabkabou | Northern Africa | .tn
Tonga | Nuku'alofa | Tongan Paʻanga | English | Oceania | Monarchy | Christianity |  | Polynesia | .to
Türkiye | Ankara | Turkish Lira | Turkish | Asia | Republic | Islam | Döner kebab, Kuru fasulye with pilav | Middle East | .tr
Trinidad and Tobago | Port of Spain | Trinidad & Tobago Dollar | English | North America | Republic | Christianity | Callaloo, Doubles | Caribbean | .tt
Tuvalu | Funafuti | Australian Dollar | English | Oceania | Constitutional Monarchy | Christianity |  | Polynesia | .tv
Taiwan | Taipei | New Taiwan Dollar | Chinese | Asia |  | Folk Religions |  |  |
Tanzania | Dodoma | Tanzanian Shilling | Swahili | Africa | Republic | Christianity | Ugali, Chips Mayai (Zege), Mtori | Eastern Africa | .tz
Ukraine | Kyiv | Ukrainian Hryvnia | Ukrainian | Europe | Republic | Christianity | Borscht, Varenyky | Eastern Europe | .ua
Uganda | Kampala | Ugandan Shilling | English | Africa | Republic | Christianity | Matoke | Eastern Africa | .ug
U.S. Minor Outlying Islands |  | US Dollar | English | Oceania | Dependent Territory of the US |  |  | Micronesia/Caribbean |
United States | Washington D.C. | US Dollar | English | North America | Federal Republic | Christianity | Hamburger, Hot dog, Fried chicken, Buffalo wings, Apple pie | North America | .us
Uruguay | Montevideo | Uruguayan Peso | Spanish | South America | Republic | Christianity | Asado, Chivito | South America | .uy
Uzbekistan | Tashkent | Uzbekistani Som | Uzbek | Asia | Republic | Islam | O'sh | Southern and Central Asia | .uz
Vatican City | Vatican City | Euro | Italian | Europe | Independent Church State |  |  | Southern Europe | .va
Saint Vincent and the Grenadines | Kingstown | East Caribbean Dollar | English | North America | Constitutional Monarchy | Christianity |  | Caribbean | .vc
Venezuela | Caracas | Venezuelan Bolívar | Spanish | South America | Federal Republic | Christianity | Pabellón criollo | South America | .ve
British Virgin Islands | Road Town | US Dollar | English | North America |  | Christianity |  |  | .vg
U.S. Virgin Islands | Charlotte Amalie | US Dollar | English | North America |  |  |  |  | .vi
Vietnam | Hanoi | Vietnamese Dong | Vietnamese | Asia | Socialistic Republic | Folk Religions | Phở, Bún bò Huế | Southeast Asia | .vn
Vanuatu | Port Vila | Vanuatu Vatu | Bislama | Oceania | Republic | Christianity | Lap lap | Melanesia | .vu
Wallis and Futuna | Mata-Utu | CFP Franc | French | Oceania | Nonmetropolitan Territory of France | Christianity |  | Polynesia | .wf
Samoa | Apia | Samoan Tala | Samoan | Oceania | Parliamentary Republic | Christianity |  | Polynesia | .ws
Kosovo | Pristina | Euro | Albanian | Europe |  | Islam |  |  |
Yemen | Sana'a | Yemeni Rial | Arabic | Asia | Republic | Islam | Saltah | Middle East | .ye
Mayotte | Mamoudzou | Euro | French | Africa | Territorial Collectivity of France | Islam |  | Eastern Africa | .yt
South Africa | Pretoria | South African Rand | Afrikaans | Africa | Republic | Christianity | Bobotie | Southern Africa | .za
Zambia | Lusaka | Zambian Kwacha | English | Africa | Republic | Christianity |  | Eastern Africa | .zm
Zimbabwe | Harare | Zimbabwean Gold | English | Africa | Republic | Christianity | Sadza | Eastern Africa | .zw
`
