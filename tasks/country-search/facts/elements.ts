// Made by scripts/facts.ts from the npm packages node-periodic-table (MIT; see NOTICE). One subject a line.
export const elements = `
element | symbol | number | category | period | phase | discoverer
Hydrogen | H | 1 | diatomic nonmetal | 1 | Gas | Henry Cavendish
Helium | He | 2 | noble gas | 1 | Gas | Pierre Janssen
Lithium | Li | 3 | alkali metal | 2 | Solid | Johan August Arfwedson
Beryllium | Be | 4 | alkaline earth metal | 2 | Solid | Louis Nicolas Vauquelin
Boron | B | 5 | metalloid | 2 | Solid | Joseph Louis Gay-Lussac
Carbon | C | 6 | polyatomic nonmetal | 2 | Solid | Ancient Egypt
Nitrogen | N | 7 | diatomic nonmetal | 2 | Gas | Daniel Rutherford
Oxygen | O | 8 | diatomic nonmetal | 2 | Gas | Carl Wilhelm Scheele
Fluorine | F | 9 | diatomic nonmetal | 2 | Gas | André-Marie Ampère
Neon | Ne | 10 | noble gas | 2 | Gas | Morris Travers
Sodium | Na | 11 | alkali metal | 3 | Solid | Humphry Davy
Magnesium | Mg | 12 | alkaline earth metal | 3 | Solid | Joseph Black
Aluminium | Al | 13 | post-transition metal | 3 | Solid |
Silicon | Si | 14 | metalloid | 3 | Solid | Jöns Jacob Berzelius
Phosphorus | P | 15 | polyatomic nonmetal | 3 | Solid | Hennig Brand
Sulfur | S | 16 | polyatomic nonmetal | 3 | Solid | Ancient china
Chlorine | Cl | 17 | diatomic nonmetal | 3 | Gas | Carl Wilhelm Scheele
Argon | Ar | 18 | noble gas | 3 | Gas | Lord Rayleigh
Potassium | K | 19 | alkali metal | 4 | Solid | Humphry Davy
Calcium | Ca | 20 | alkaline earth metal | 4 | Solid | Humphry Davy
Scandium | Sc | 21 | transition metal | 4 | Solid | Lars Fredrik Nilson
Titanium | Ti | 22 | transition metal | 4 | Solid | William Gregor
Vanadium | V | 23 | transition metal | 4 | Solid | Andrés Manuel del Río
Chromium | Cr | 24 | transition metal | 4 | Solid | Louis Nicolas Vauquelin
Manganese | Mn | 25 | transition metal | 4 | Solid | Torbern Olof Bergman
Iron | Fe | 26 | transition metal | 4 | Solid | 5000 BC
Cobalt | Co | 27 | transition metal | 4 | Solid | Georg Brandt
Nickel | Ni | 28 | transition metal | 4 | Solid | Axel Fredrik Cronstedt
Copper | Cu | 29 | transition metal | 4 | Solid | Middle East
Zinc | Zn | 30 | transition metal | 4 | Solid | India
Gallium | Ga | 31 | post-transition metal | 4 | Solid | Lecoq de Boisbaudran
Germanium | Ge | 32 | metalloid | 4 | Solid | Clemens Winkler
Arsenic | As | 33 | metalloid | 4 | Solid | Bronze Age
Selenium | Se | 34 | polyatomic nonmetal | 4 | Solid | Jöns Jakob Berzelius
Bromine | Br | 35 | diatomic nonmetal | 4 | Liquid | Antoine Jérôme Balard
Krypton | Kr | 36 | noble gas | 4 | Gas | William Ramsay
Rubidium | Rb | 37 | alkali metal | 5 | Solid | Robert Bunsen
Strontium | Sr | 38 | alkaline earth metal | 5 | Solid | William Cruickshank (chemist)
Yttrium | Y | 39 | transition metal | 5 | Solid | Johan Gadolin
Zirconium | Zr | 40 | transition metal | 5 | Solid | Martin Heinrich Klaproth
Niobium | Nb | 41 | transition metal | 5 | Solid | Charles Hatchett
Molybdenum | Mo | 42 | transition metal | 5 | Solid | Carl Wilhelm Scheele
Technetium | Tc | 43 | transition metal | 5 | Solid | Emilio Segrè
Ruthenium | Ru | 44 | transition metal | 5 | Solid | Karl Ernst Claus
Rhodium | Rh | 45 | transition metal | 5 | Solid | William Hyde Wollaston
Palladium | Pd | 46 | transition metal | 5 | Solid | William Hyde Wollaston
Silver | Ag | 47 | transition metal | 5 | Solid | unknown, before 5000 BC
Cadmium | Cd | 48 | transition metal | 5 | Solid | Karl Samuel Leberecht Hermann
Indium | In | 49 | post-transition metal | 5 | Solid | Ferdinand Reich
Tin | Sn | 50 | post-transition metal | 5 | Solid | unknown, before 3500 BC
Antimony | Sb | 51 | metalloid | 5 | Solid | unknown, before 3000 BC
Tellurium | Te | 52 | metalloid | 5 | Solid | Franz-Joseph Müller von Reichenstein
Iodine | I | 53 | diatomic nonmetal | 5 | Solid | Bernard Courtois
Xenon | Xe | 54 | noble gas | 5 | Gas | William Ramsay
Cesium | Cs | 55 | alkali metal | 6 | Solid | Robert Bunsen
Barium | Ba | 56 | alkaline earth metal | 6 | Solid | Carl Wilhelm Scheele
Lanthanum | La | 57 | lanthanide | 6 | Solid | Carl Gustaf Mosander
Cerium | Ce | 58 | lanthanide | 6 | Solid | Martin Heinrich Klaproth
Praseodymium | Pr | 59 | lanthanide | 6 | Solid | Carl Auer von Welsbach
Neodymium | Nd | 60 | lanthanide | 6 | Solid | Carl Auer von Welsbach
Promethium | Pm | 61 | lanthanide | 6 | Solid | Chien Shiung Wu
Samarium | Sm | 62 | lanthanide | 6 | Solid | Lecoq de Boisbaudran
Europium | Eu | 63 | lanthanide | 6 | Solid | Eugène-Anatole Demarçay
Gadolinium | Gd | 64 | lanthanide | 6 | Solid | Jean Charles Galissard de Marignac
Terbium | Tb | 65 | lanthanide | 6 | Solid | Carl Gustaf Mosander
Dysprosium | Dy | 66 | lanthanide | 6 | Solid | Lecoq de Boisbaudran
Holmium | Ho | 67 | lanthanide | 6 | Solid | Marc Delafontaine
Erbium | Er | 68 | lanthanide | 6 | Solid | Carl Gustaf Mosander
Thulium | Tm | 69 | lanthanide | 6 | Solid | Per Teodor Cleve
Ytterbium | Yb | 70 | lanthanide | 6 | Solid | Jean Charles Galissard de Marignac
Lutetium | Lu | 71 | lanthanide | 6 | Solid | Georges Urbain
Hafnium | Hf | 72 | transition metal | 6 | Solid | Dirk Coster
Tantalum | Ta | 73 | transition metal | 6 | Solid | Anders Gustaf Ekeberg
Tungsten | W | 74 | transition metal | 6 | Solid | Carl Wilhelm Scheele
Rhenium | Re | 75 | transition metal | 6 | Solid | Masataka Ogawa
Osmium | Os | 76 | transition metal | 6 | Solid | Smithson Tennant
Iridium | Ir | 77 | transition metal | 6 | Solid | Smithson Tennant
Platinum | Pt | 78 | transition metal | 6 | Solid | Antonio de Ulloa
Gold | Au | 79 | transition metal | 6 | Solid | Middle East
Mercury | Hg | 80 | transition metal | 6 | Liquid | unknown, before 2000 BCE
Thallium | Tl | 81 | post-transition metal | 6 | Solid | William Crookes
Lead | Pb | 82 | post-transition metal | 6 | Solid | Middle East
Bismuth | Bi | 83 | post-transition metal | 6 | Solid | Claude François Geoffroy
Polonium | Po | 84 | post-transition metal | 6 | Solid | Pierre Curie
Astatine | At | 85 | metalloid | 6 | Solid | Dale R. Corson
Radon | Rn | 86 | noble gas | 6 | Gas | Friedrich Ernst Dorn
Francium | Fr | 87 | alkali metal | 7 | Solid | Marguerite Perey
Radium | Ra | 88 | alkaline earth metal | 7 | Solid | Pierre Curie
Actinium | Ac | 89 | actinide | 7 | Solid | Friedrich Oskar Giesel
Thorium | Th | 90 | actinide | 7 | Solid | Jöns Jakob Berzelius
Protactinium | Pa | 91 | actinide | 7 | Solid | William Crookes
Uranium | U | 92 | actinide | 7 | Solid | Martin Heinrich Klaproth
Neptunium | Np | 93 | actinide | 7 | Solid | Edwin McMillan
Plutonium | Pu | 94 | actinide | 7 | Solid | Glenn T. Seaborg
Americium | Am | 95 | actinide | 7 | Solid | Glenn T. Seaborg
Curium | Cm | 96 | actinide | 7 | Solid | Glenn T. Seaborg
Berkelium | Bk | 97 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Californium | Cf | 98 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Einsteinium | Es | 99 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Fermium | Fm | 100 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Mendelevium | Md | 101 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Nobelium | No | 102 | actinide | 7 | Solid | Joint Institute for Nuclear Research
Lawrencium | Lr | 103 | actinide | 7 | Solid | Lawrence Berkeley National Laboratory
Rutherfordium | Rf | 104 | transition metal | 7 | Solid | Joint Institute for Nuclear Research
Dubnium | Db | 105 | transition metal | 7 | Solid | Joint Institute for Nuclear Research
Seaborgium | Sg | 106 | transition metal | 7 | Solid | Lawrence Berkeley National Laboratory
Bohrium | Bh | 107 | transition metal | 7 | Solid | Gesellschaft für Schwerionenforschung
Hassium | Hs | 108 | transition metal | 7 | Solid | Gesellschaft für Schwerionenforschung
Meitnerium | Mt | 109 | unknown, probably transition metal | 7 | Solid | Gesellschaft für Schwerionenforschung
Darmstadtium | Ds | 110 | unknown, probably transition metal | 7 | Solid | Gesellschaft für Schwerionenforschung
Roentgenium | Rg | 111 | unknown, probably transition metal | 7 | Solid | Gesellschaft für Schwerionenforschung
Copernicium | Cn | 112 | transition metal | 7 | Gas | Gesellschaft für Schwerionenforschung
Nihonium | Nh | 113 | unknown, probably transition metal | 7 | Solid | RIKEN
Flerovium | Fl | 114 | post-transition metal | 7 | Solid | Joint Institute for Nuclear Research
Moscovium | Mc | 115 | unknown, probably post-transition metal | 7 | Solid | Joint Institute for Nuclear Research
Livermorium | Lv | 116 | unknown, probably post-transition metal | 7 | Solid | Joint Institute for Nuclear Research
Tennessine | Ts | 117 | unknown, probably metalloid | 7 | Solid | Joint Institute for Nuclear Research
Oganesson | Og | 118 | unknown, predicted to be noble gas | 7 | Solid | Joint Institute for Nuclear Research
Ununennium | Uue | 119 | unknown, but predicted to be an alkali metal | 8 | Solid | GSI Helmholtz Centre for Heavy Ion Research
`
