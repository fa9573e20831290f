/// The 9,623 words of 4 or more letters that common passwords consist of.
///
/// `scripts/make-common-passwords` generated the data from the list of 20,000 leaked passwords that Django includes
/// (`common-passwords.txt.gz`). Royce Williams compiled that list:
/// <https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce>.
///
/// The words are sorted by their bytes. They are a literal, because a literal is part of the executable file and
/// occupies memory only while it is read.
enum CommonPasswords {
    static let text: StaticString = """
        aaaa aaaaa aaaaaa aaaaaaa aaaaaaaa aaaaaaaaa aaaaaaaaaa aaabbb aaasss aabb aabbcc aaliyah aardvark aaron aassdd
        abayomi abbey abbie abby abcabc abcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abcxyz abdullah abercrombie
        aberdeen abhinav abhishek abigail abiodun abox abracadabra abraham abrakadabra absolut absolute abundance academia
        academy acapulco access accord account accountant accounting accounts acdc achille achilles acmilan action active acts
        acuario aczx adadad adam adams addicted addison addl adebayo adekunle adelaide adelina adeline ademola adeola adewale
        adeyemi adgjm adgjmp adgjmptw adidas aditya admin administrator admiral adolfo adonai adonis adrenalin adrian adriana
        adrianna adriano adrien adrienne advance advent adventure advocate aerosmith aezakmi afghanistan africa afrika
        afrodita again agatha agathe agent aggies agnes agnieszka agosto aguila aguilar aguilas agustin agustina agustus
        ahbird ahmad ahmed ahov aidan aiden aikido aileen aimee airborne airbus airforce airplane airport airsoft airtel
        aishiteru aishwarya akademiks akatsuki akax akira akopa akshay aksrms alabama aladdin aladin alain alan alana alanis
        alanna alaska albania albatros albatross albert alberta alberto albina albion alcatel alcatraz alchemist aldrin
        alegria alejandra alejandro aleksa aleksander aleksandr aleksandra aleksei aleksey alemania alena alenka alesana
        alesha alessandra alessandro alessia alessio alex alexa alexalex alexan alexander alexandr alexandra alexandre
        alexandria alexandru alexey alexia alexis alfa alfaromeo alfie alfonso alfred alfredo alfw algebra algerie aliali
        alianza alibaba alicante alice aliceadsl alicia alien aliens aligator alina alinka alisa alisha alisher alison alissa
        alivioo aliyah aljg alladin allah allahakbar allahis allahu allahuakbar allan allen alleycat alliance allie alligator
        allison alliswell allmine allrecipes allsop allstar allyson almario almighty almond almost aloha alohomora alondra
        alone alonso alonzo alpacino alpha alphabet alpine altair alterego althea alucard alvarez alvaro alvin always alyson
        alyssa amadeus amalia amanda amandine amarillo amatory amazing amazon amber ambition amdturion amelia amelie america
        american amerika amethyst amigas amigos aminata amistad amizade amnesia amor amoramor amorcito amore amoremio amores
        amoreterno amormio amour amoure amoureuse amoureux amours amparo amrita amsterdam amylee anabel anaconda anakin
        anakonda analsex anamaria anamika ananas ananda ananya anarchy anastasia anastasiya anatoliy anchor anders anderson
        andonly andrade andre andrea andreas andreea andrei andreia andreita andrej andres andrew andrews andrey android
        andromeda andrusic andy anechka anetka anfield anfisa angedemon angel angela angelbaby angele angeles angeleyes
        angelface angelgirl angeli angelic angelica angelika angelina angeline angelique angelita angelito angell angelo
        angelok angels angelseye angelus angie angle angola angus anhyeuem ania animal animals animation anime aninha anissa
        anita anitha anjali anjana anjing ankara ankita anna annaanna annabel annabell annabelle annalisa annamaria anne
        annemarie annette annie annika annmarie anno anonymous another answer antares anthony antivirus antoine antoinette
        anton antonella antonia antonina antonio antony anubis anuradha anurag anusha anything aobo apache aparna apelsin
        aphrodite apocalypse apollo apple applepie apples applesauce april aprilia apsk aptx aqswde aquamarine aquarius aquila
        aqwzsx aqwzsxedc arabella araceli aragon aragorn aramis arcadia arcangel archana archangel archer archie architect
        arcobaleno area argentina ariadna ariana ariane arianna arianne ariel arielle aries arizona arkansas arlene armada
        armageddon armagedon armand armando armani armenia armorgames armstrong armyof arnaud arnold arod arschloch arsenal
        arsenalfc arslan artem artemis artemka arthur artist artur arturo arvind asakapa asas asasas asasasas asawako asdasd
        asdasdasd asddsa asdewq asdf asdfasdf asdffdsa asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdfqwer asdfzxcv asdg
        asdqwe asdzxc ashanti ashish ashlee ashleigh ashley ashlyn ashraf ashton ashutosh ashwin ashwini asia asian aspire
        aspirine asroma assasin assass assassin assface assh asshole assholes assman asswipe astalavista asterix astig
        astonmartin astonvilla astra astrid astroboy astros asturias atcskd athena athens athlon atlanta atlantic atlantis
        atlars atletico atomic atreyu attack atticus attila attitude aubrey auburn aubvoq audg audi audia auditt audrey august
        augusta augustine augusto augustus aumn aurelia aurelie aurelien auriane aurora aurore aussie austin australia austria
        author automobil autumn avalanche avalon avatar avemaria avenged avenger aventura avery aviation avinash avril
        avrillavigne awaa awei awesome awful awsome axelle axio axlrose ayanami ayesha ayodeji ayomide azamat azazaz azert
        azerty azertyu azertyui azertyuiop azsxdc azsxdcfv aztnm baba bababa babababa babatunde babe babes babies baboso baby
        babybaby babybear babyblue babyboo babyboy babycakes babydoll babyface babyg babygirl babygurl babyko babykoh babylon
        babylove babymama babyphat bacardi bacchus backend backspace backstreet bacon badass badazz badbitch badboy badboys
        baddog badger badgers badgirl badman badminton badoo baggies baggins baggio bagira bagpuss bahamas bahamut bahia
        bailey baili bajingan baker bakugan balaji balance ball balla baller ballerina ballet ballin ballon balloon balls
        baltazar baltimore bambam bambi bambino bambolina bamboo bambou bamidele banaan banana bananas banane bandit bandung
        bangalore bangaram bangbang bangkok bangladesh bangsat bankai banshee banzai baptiste baracuda barakuda barbados
        barbara barber barbie barbiegirl barca barcelona barcelone baritone barker barkley barley barnes barney barosan
        barracuda barrett barry barselona barsik bart bartek bartman barton baseba baseball basket basketbal basketball bass
        bassman bastard bastardo bastian bastien batata batista batman battery battle battlefield bautista baxter baybay
        bayern baylee bazooka bball bbbb bbbbb bbbbbb bbbbbbb bbbbbbbb bbleo bdfyjd bdfyjdf beach beachbum beaches beagle
        beamer beaner beanie beans bear bearbear beardog bears bearshare beast beatles beatrice beatriz beautiful beauty
        beaver beavis bebe bebita because becca becker beckham becky beebee beefcake beer beethoven beetle begemot behappy
        bela believe belinda belinea bella belle bellissima belmont beloved benben bender benedict benfica bengals benito
        benjamin benji benjie bennett bennie benny benoit benson benten bentley beowulf berenice beretta berger bergkamp
        berkeley berlin bermuda bernadette bernard bernardo bernice bernie berry berserk bertha bertie bertrand besiktas
        bessie best bestfriend bestfriends beth bethany better bettina betty bettyboop beverly beyblade beyonce beyond bhaby
        bharat bharathi bhbirf bhbyrf bhebhe bhjxrf bianca biatch bibi bibiche bible bicycle bieber bies bigballs bigbang
        bigbear bigben bigbird bigblue bigboi bigboobs bigbooty bigboss bigboy bigbrother bigcock bigdaddy bigdick bigdog
        bigfish bigfoot biggie biggles bigguy bighead bigmac bigmama bigman bigmir bigmoney bigone bigpimp bigpimpin bigred
        bigsexy bigtime bigtits biker bill billabong billie billiejoe billy billybob billyboy biloute bimmer bingbing bingo
        bintang biohazard biologia biology bionicle bird birdhouse birdie birdman birillo birmingham birthday biscuit bishop
        bismilah bismillah bisous bitch bitchass bitches bitchy biteme bizkit blabla blablabla black blackbelt blackberry
        blackbird blackcat blackdog blackhawk blackie blackjack blackman blackops blackout blackpool blackrose blacks
        blackstar blackwater blacky blade blades blah blahblah blaine blake blanca blanche blanco blank blasted blaster blaze
        blazer blbyf bleach blessed blessing blessings bling blingbling blink blix blizzard blkdrag blogs blonde blondie blood
        bloods bloody bloodz blossom blowjob blowme blue blueangel bluebell blueberry bluebird blueblue blueboy bluedog
        blueeyes bluefish bluejay bluemoon bluerose blues bluesky bluestar blunt blunts bmwbmw board bobafett bobbie bobbob
        bobby bobcat bobcats bobdylan bobesponja bobmarley bobo bobobo boeing bogart bogdan boguska bolaji bollocks bollox
        bologna bolton bombay bomber bombers bombom bonanza bonbon bond bonehead bones bonheur bonita bonito bonjour bonjovi
        bonkers bonnie bonsai boob boobear boobie boobies booboo boobs booger boogers boogie book booker bookie bookmark books
        bookworm boom boomboom boomer boomerang boosie booster boots bootsie booty borabora borboleta bordeaux bored boricua
        boris bornot boroda borussia bosco boss bossman bossy boston bottle bottom boubou bouboule boulette bounce bouncer
        bounty bowling bowser bowwow boxcar boxer boxers boxing boyboy boyfriend boys bozo bracken brad braden bradford
        bradley bradpitt brady bramble brandi brandnew brando brandon brandy brasil bratz braveheart braves bravo braxton
        brayan brayden brazil breakdance breaker breanna breathe brebre breeze breezy brenda brendan brenden brendon brenna
        brennan brent bretagne brett brewster brian briana brianna bribri briciola bridge bridget bright brighton brigitte
        brilliant brisbane bristol britney britt brittany brittney broadband broadway brodie brody broken brokenhear bronco
        broncos bronson bronx brooke brooklyn brooks brother brothers brown browneyes brownie browning browns brownsugar bruce
        brucelee bruins bruiser bruno brutus bryan bryant bryce bryson bscirc bubba bubbas bubble bubblegum bubbles bubby
        buceta buck bucket buckeye buckeyes buckley buckshot buckwheat bucky bucuresti budapest buddah buddha buddie buddy
        buddyboy buddydog budlight budman budweiser buffalo buffett buffy bugatti bugger bugsbunny builder bukola bulldog
        bulldogs bullet bullfrog bulls bullseye bullshit bumble bumblebee bumbum bummer bumper bunghole bunker bunnies bunny
        burger burrito burton bushido business busted buster butch butcher butler butt butter butterball buttercup butterflies
        butterfly butters buttface butthead butthole button buttons buzhidao bwfq byebye bynthytn byteme byusdg caballero
        caballo cabbage cabrera cabron caca cacaca cacca cachorro cachou cactus cadillac caesar cafemom caitlin caitlyn cake
        calcio calculator calderon caleb calgary calibra calico caliente california calimero caline calis call callaway calle
        callie callofduty callum calvin calypso camara camaro camaroz cambiami cambridge camden camel camelia camelot camera
        camero cameron camila camilla camille camilo camion campbell campeon camper camping campos canabis canada canadian
        canard cancan cancel cancer cancun candace candela candice candies candle candy candycane candygirl candyman canela
        canelle cannabis cannelle cannibal cannon canon cantik cantona canyon caonima capecod capetown capital capoeira capone
        caprice capricorn capricornio capslock captain capucine caracas carajo caralho caramba caramel caramella caramelo
        caravan carbon cardiff cardinal cardinals carebear carebears career carina carine carissa carito carl carla carlito
        carlitos carlo carlos carlota carlotta carlton carly carmel carmela carmelo carmen carmine carnage carnaval carnival
        carol carola carole carolina caroline carolyn carpediem carpenter carpet carrera carrie carrot carrots cars carson
        carter cartman cartoon casablanca casandra casanova cascade casey cash cashmoney casino casper cassandra cassidy
        cassie castillo castle castor castro catalin catalina catania catarina catcat catch catdog caterina catfish catherine
        catholic cathy catlover catman cats catwoman cavalier cavallo cavalo caveman cavs cayman cazzo cazzone cccccc ccer
        cdtnbr cdtnkfyf cecile cecilia cedric celeron celeste celica celina celine cellphone celtic celticfc celtics celular
        cena cent center central centrino century cepetsugih cerberus cerise cervantes cesar cesare cessna cevthrb cfiekz
        cfitymrf cfvceyu cgfhnfr chacha chachi chad chadwick chael chainsaw challenge challenger chambers champ champagne
        champion champions champs chance chandan chandler chandra chandu chanel chanelbag chanelle change changeme changes
        channel chantal chantel chantelle chaos chapman character charger chargers charisma charity charlene charles charley
        charli charlie charline charlotte charlton charly charmaine charmed charming chase chaselo chaser chasity chat chaton
        chavez cheater cheche checkers checkmate cheech cheeky cheer cheerleade cheerleader cheers cheese cheesecake cheetah
        cheguevara chelle chelsea chelseafc chelsey chemical chemistry chennai cherie cherish cherokee cherries cherry cheryl
        chester chestnut cheval chevelle chevrolet chevy chevys chevyz chewbacca chewie chewy cheyanne cheyenne chiara chica
        chicago chicca chicco chicharito chichi chick chicken chickens chicks chico chidori chief chiefs chihuahua children
        chilli chillin chilly chimera china chinchilla chinchin chinedu chinese chingy chinita chinna chinni chinnu chino
        chinook chintu chioma chipie chipmunk chipper chippy chiqui chiquita chitarra chitown chivas chloe chloee chobits
        chocho choclate chocolat chocolate choice choochoo chopin chopper chosen chouchou choupette chowder chris chrisb
        chrisbrown chriss chrissy christ christa christelle christian christie christin christina christine christmas christo
        christophe christopher christy chronic chrono chrysler chubby chuchu chuck chuckie chuckles chucky chula chunky church
        churchill chutrung ciao ciaociao ciara ciccia ciccio cidp cierra cimbom cinder cinderella cindy cinema cingular
        cinnamon cinta cintaku cinzia circle circus citizen citroen citron civic cizcdp cjdsb cjkysirj cjkywt cjmasterinf
        cjytxrf cksdnd claire clancy clapton clara clarence clarinet clarissa clarisse clark class classic classof claude
        claudia claudine claudio clayton clemence clement clemente clementine clemson cleo cleopatra cleveland clever clifford
        clifton clinton clipper clochette cloclo cloud clouds clover clovis clown clowns clueless clyde cnfkrth cnfybckfd
        cnjqrf cnthdf coach cobain cobra coca cocacola cocaine coccinella cock cocksucker coco cocoa cococo cocococo cocoloco
        coconut cocotte codered cody coffee coke cola colby coldplay cole coleman colette colgate colibri colin colleen
        college collin collins colocolo colombia colombo colonel colorado colors colour colt colton coltrane colts columbia
        columbus combat comcast comedy comeer comeon comer comfort coming command commander commando commerce common community
        company compaq complete compton computador computadora computer computers concepcion concord concorde concrete condom
        condor conejo confidence confirm confused connard connect connection conner connie connor conrad constance constantin
        constantine consuelo contact continue contra contrase contrasena control converse cookie cookiemons cookiemonster
        cookies cooking cool coolbeans coolboy coolcat coolcool cooldude cooler coolgirl coolguy coolio coolkid coolman
        coolness cooper cooter copenhagen copper coralie corazon corbin cordell cordoba coregmedia corentin corey corina
        corinne corleone cornelia cornelius cornell cornwall corolla corona corrado corsica cortez corvette cosita cosmic
        cosmin cosmo cosmopolitan cosmos costarica cosworth cottage cotton coucou cougar cougars counter counterstrike country
        countryboy coupon couponmom coupons couponsc courage courtney couscous cousin covenant coventry cowboy cowboys
        cowboyup cowgirl coyote crack cracker crackers crackhead cradle craig crash crawford crazy crazybitch crazydog
        crazygirl crazyman cream create creation creative creek creeper crepusculo crescent crevette cricket cricri criminal
        crimson crip cristal cristh cristi cristian cristiano cristina cristo cristy critter crjhgbjy crocodile cronaldo
        cronos crosby crossfire crow crowbird cruise cruiser crunch crusader cruzazul crybaby crysis crystal cthtuf cthutq
        ctrhtn cubaj cubbies cubs cucciola cucciolo cucumber cuddles cullen cummins cumshot cunt cupcake cupcakes curious
        curtis custom cute cuteako cutegirl cuteko cuteme cutie cutiepie cuties cutlass cutter cuttie cvbhyjdf cvthnm cvzefh
        cxdn cxfcnkbdfz cxfcnmt cyber cyclone cynthia cypress cyprus dabears dabomb dada dadada dadadada daddy daddygirl
        daddys daddysgirl daemon daewoo daffodil dagger daisey daisy daisydog daisymae daisymay dakota dalbas dale dalejr
        dalila dallas dalton damaris damian damien damilare damilola damion dammit damnit damon dana dance dancer dancing
        dandan danger dangerous dani danica daniel daniela daniele danielito daniella danielle daniels daniil danika danila
        danilka danilo danish danny dannyboy dante dantheman daphne daredevil darina dario darius dark darkangel darkknight
        darklord darkman darkness darkside darkstar darlene darling darnell darrell darren darryl darthvader darwin dasha
        dashka dating daughter dauphin dave david davide davidic davidoff davids davidson davinci davis dawn dawson dayana
        dayday daysgrace dayton daytona dbnfkbr dbrecz dbrnjh dbrnjhbz dddd ddddd dddddd ddddddd dddddddd dddddddddd ddzj
        deacon dead deadhead deadly deadman deadmau deadpool dean deandre deanna dearbook death deathnote debbie debora
        deborah december declan dede dedede dedewang deedee deejay deepak deepika deerhunter deeznuts deeznutz default
        defender deftones degrassi deirjj dejavu delacruz delaney delete deleted delfin delfino delgado delicious delilah dell
        delldell delphi delphine delpiero delta deluxe demilovato demo demon demons denali denden denis denisa denise deniska
        denmark dennis dental dentist denver denzel depeche depechemode derek derick derp derparol derrick desadesa desember
        desert deshawn design designer desire desiree deskjet desmond desperado destin destinee destiny destroy destroyer
        detroit dett deusefiel deutsch deutschland devil devildog devilmaycry devils devin devine devon dewayne dexter
        dfcbkbcf dfcbkbq dfhdfhf dfkthbz dfkthf dfktynby dfktynbyf dfvgbh dfytxrf dharma diablo diabolo dialog diamant
        diamante diamond diamonds diana diane dianna dianne diciembre dick dickhead dictionary didididi didier didine diego
        dieguito diehard diesel dietcoke dieter digger digimon digital dilbert dilligaf dillon dima dimadima dimasik dimebag
        dimension dimitri dimple dimples dinamo dinara dinero dinesh dingdong dino dinosaur diosesamor diosesfiel dipset
        director dirtbike dirty discover discovery disney disneyland disturbed diva divina divine divorce diwtgm dixie dizzy
        django djkhjsy djkjlz dkflbckfd dkflbr dkflbvbh dkssud dkxjizc dmitriy dmoney doberman doctor doctorwho dodge dodger
        dodgeram dodgers dodo dododo dodong dogcat dogdog dogfood dogg doggie doggies doggy doggystyle doghouse doglover
        dogman dogs dogshit doktor dolapo dollar dollars dolly dolores dolphin dolphins domdom domenica domenico dominator
        domingo dominic dominican dominick dominik dominika dominion dominique domino donald donaldduck dondon donkey donna
        donnie donovan dont dontforget dontknow donuts doobie doodle doodlebug doodles doodoo doogie dookenr dookie doomsayer
        doomsday dora doraemon doreen doremi dorian dorothy dortmund dottie double doudou doudoune doug doughboy dougie
        douglas download downtown dozer dpbk dracula drag dragon dragonball dragonballz dragonfire dragonfly dragons dragoon
        dragoste drake drakon drama dramaqueen dream dreamcast dreamer dreamgirl dreaming dreams dresden drew drifter driver
        drizzt drjynfrnt drogba droopy dropdead drowssap drpepper drummer drums dthjybrf dtxyjcnm dublin ducati duchess duck
        duckie ducky dude dudley duke dumbass dumdum dummy duncan dundee dupa dupadupa dupont durango duster dustin dusty
        dutchess dwade dwayne dwight dylan dynamic dynamite dynamo dynasty eagle eagles earnhardt earth easter eastern easton
        eastside eastwood easy easyas eatme eatpussy eatshit ebeans ebenezer ebony echizen eclipse economics ecuador edad
        edberg eddie edgar edinburgh edison edmond edmonton edmund edoardo eduard eduardo education edward edwardcullen
        edwards edwin edxk eeeeee eeyore eggplant egorka ehdgnl eight eightball eighteen eileen einstein eistee ekaterina
        ekmzyf elaine eldorado eleanor electra electric electrical electro electron electronic electronics elefant elefante
        element elements elena eleonora elephant elephants eleven eliana elijah elisa elisabeth elisabetta elise elisha elite
        elizabet elizabeth elizaveta ella ellen ellie elliot elliott ellobo elmejor elmira elmo elodie eloise elsalvador
        elvira elvis elway elwood emachines email emanuel emanuela emanuele embrace emerald emerica emerson emilia emiliano
        emilie emilio emily eminem emirates emma emmanuel emmanuelle emmitt emoboy emogirl emokid emotional emperor empire
        employment encore energy engine engineer engineering england english enigma enrico enrique enter enterprise entropy
        epsilon eqes eragon eraser erboi erboy eric erica erick ericka ericsson erik erika erin ernest ernesto ernie erotic
        escalade escape escobar escola escorpion escort eskimo esmeralda espagne espana esperanza espoir essence estate
        esteban estefania estela estelle esther estrada estrela estrella estrellita eternal eternity ethan ethanryan ethiopia
        etienne etnies etoile ettore eugene eugenia eugenie eugenio eunice eureka europa europe euteamo evan evanescence
        evangelion evelin evelina evelyn ever everest everett evergreen everlast everlove everton everyday everything evgeniy
        evgeniya evil evildick evite evolution evony ewanko ewelina excalibur excellent exigent exodus expert explorer express
        extreme ezekiel ezequiel fabian fabiana fabien fabienne fabio fabiola fabolous fabregas fabrice fabrizio fabulous faca
        facebook faggot fairy faisal faith faithful fake faker falcon falcons fallen fallout falloutboy familia
        familiyafamiliya famille family familyguy famous fanfan fanny fantasia fantasma fantastic fantasy fantom fantomas
        faraon farfalla farfallina farhan farida farley farmacia farmer fart fashion fast faster fatass fatboy fatcat fathead
        father fatima fatman fatty favour favre fcbarcelona fcbayern fceh fcporto fduecn fearless feather feathers febrero
        february feder federal federer federica federico felice felicia felicidad felicidade felicita felicity feline felipe
        felix fellow female fenchel fender fener fenerbahce ferari ferdinand fergie fergus ferguson fernanda fernandes
        fernandez fernando ferrari ferreira ferret festival feuerwehr feyenoord ffff fffff ffffff fffffff ffffffff ffffffffff
        fghjkl fghtkm fgtkmcby fhctybq fhntvrf fialka fickdich ficken fidelio fidelity fiesta fifa figaro fightclub fighter
        filip filipe filippo film filomena finalfantasy finance find fineboy finger fingers finland finley fiona fiorella
        fiorentina fire fireball firebird fireblade firefighter firefire firefly firefox fireman firenze firestorm firewall
        fireworks first fischer fish fishbone fisher fisherman fishes fishfish fishing fishtank fishy fitness five fivestar
        fkbyjxrf fktrcfylh fktrcfylhf fktrctq fktyeirf fktyrf flame flamenco flamengo flames flamingo flash flatblocker
        flatron flavia flavio fletch fletcher fleurs flight flip flipflop flipper floflo floppy florence florencia florent
        flores florian florida florin flounder flower flowerpower flowers floyd fluffy flyboy flyers flyfly flying focus
        fondoom foobar food foofoo foolish football ford fordf fordfocus forest forever forget forgetit forgetmenot forgiven
        forgot forgotten format formula forrest forsaken fortuna fortune forward foryou forzainter forzajuve forzamilan
        forzanapoli forzaroma fossil foster foundation fountain four fourkids fourteen fowler foxpass foxracing foxtrot foxy
        foxylady fptjtl fqrg fragile fragola fragolina franca france frances francesca francesco franci francia francine
        francis francisca francisco franck franco francois francoise francy frank frankfurt frankie franklin franky fraser
        frdz freak freaks freaky freckles fred freddie freddy frederic frederick frederik fredfred fredrick free freebird
        freedom freefree freeman freemusic freestuff freestyle freeway freeze freiheit french fresh friday friend friendly
        friends friendship friendster frisco frisky fritz frodo frog frogger froggie froggy frogs front frontier frosch frosty
        frozen fruity ftrqj fubar fuchurli fuck fucked fucker fuckers fuckface fuckfuck fucking fuckit fucklife fucklove
        fuckme fuckmehard fuckmylife fuckoff fuckshit fuckthat fuckthewor fuckthis fucku fucky fuckyou fuckyouall fuckyoubit
        fudge fugazi fujitsu fuku fullaccess fullmetal fullmoon funfun funky funmilola funny funtime fusion fussball futbol
        futurama future futyn fuzzy fxzz fyfcnfcbz fyfnjkbq fylhtq fynjirf fysihz fytxrf fyutkbyf fyutkjxtr fzpy gaara gabbie
        gabby gabriel gabriela gabriele gabriella gabrielle gadget gaelle gaetano gagaga gagarin gagged galatasaray galaxy
        galileo galina gallardo gambion gambit game gameboy gamecube gameover gamer games ganda gandako gandalf gandhi ganesh
        ganesha gangbang gangsta gangster ganja gansta ganteng garage garbage garcia garden gardenia gareth garfield garnet
        garrett gary gaston gateway gatinha gatita gatito gator gatorade gators gaudens gaurav gautam gavin gayathri gayatri
        gayboy gaylord gazelle gbcmrf gbenga gbgbcmrf gbhfvblf gbpltw gcheckout gdcc gearsofwar geetha gegcbr geheim gemini
        geminis gemma general generation genesis geneva genevieve genius gennaro gentle geoffrey george georges georgia
        georgie georgina gerald geraldine gerard gerardo gerly germaine german germania germany geronimo gerrard gertrude
        getajob gether getlost getmoney getout getsome gettherefast gfcgjhn gfgfvfvf gfhjkm gfhjkmgfhjkm gfynthf gggg ggggg
        gggggg ggggggg gggggggg gggggggggg ghbdtn ghbdtnbr ghbdtnrfrltkf ghblehjr ghbrjk ghbywtccf ghetto ghghgh ghhh ghjcnj
        ghjcnjnfr ghjcnjq ghjdthrf ghjnjnbg ghjuhfvvf ghost ghostrider ghosts giacomo giancarlo gianluca gianna gianni giants
        gibson gideon gidget gigabyte gigaman giggle giggles gigi gigolo gilbert gilberto gilles gillian gilmore gina ginger
        giogio giorgi giorgia giorgio giovanna giovanni giraffe girasole girl girlfriend girlie girlpower girls girlsrule
        girly girlygirl gisela gisele giselle gitara giulia giuliana giulietta giulio giuseppe gizmo gizzmo gjhjkm gjkbujy
        gjkbyf gladiator gladys glamorous glamour glasgow glasses glenda glenn glitter global globus gloria gmoney goalie goat
        goaway goblin goblue gobucks godbless godblessme goddess godfather godgod godhelpme godim godis godisable godisgood
        godisgreat godislove godlike godlovesme godofwar godslove godsmack godson godspeed godwin godzilla gofish goforit
        gogators gogeta gogirl gogo gogogo goku gold goldberg golden goldeneye goldfinger goldfish goldie goldstar goldwing
        golf golfball golfclub golfcourse golfer golfgti golfing golfinho goliath gollum gonzales gonzalez gonzalo gonzo
        goober good goodboy goodbye goodday goodgirl goodgod goodgood goodies goodlife goodluck goodman goodmorning goodness
        goodnews goodtime goodtimes goofy google googletester googoo goose gopher gordita gordito gordo gordon gorgeous
        gorilla gorillaz gospel gossipgirl gotcha gothic gotmilk gotohell govols grace gracia gracie graciela graduate
        graffiti graham grammy granada grandad grande grandkids grandma grandpa granny grant grapes graphics grasshopper
        grateful gratis gravity grayson grazia grease great greatest greatone greece greedisgood green greenbay greenday
        greene greeneyes greens greentea greenwood greg gregor gregorio gregory gremio gremlin grenouille gretchen greyhound
        gribouille griffin grinch grine gringo grisha grizzly gromit groove groovy groupd grover gruby grumpy gsxr gtavicecity
        gthcbr gtnhjdbx guadalupe guardian guatemala gucci gucio guerrero guess guesswho guest guevara guigui guilherme
        guillaume guillermo guiness guinness guitar guitare guitarhero guitarra gummybear gundam gunit gunnar gunner gunners
        gunsnroses gunther guruji gusgus gustav gustavo gutierrez gutschein gwapa gwapako gwapo gwapoako gwapoko gwarmonster
        gwerty gymnast gymnastics gypsy habbo habiba habibi hacked hacker hackers haggis haha hahaha hahahaha hailey hakr
        haley halflife halifax halima hallie hallo hallohallo halloween halo haloreach hamada hambone hamburg hamburger
        hamilton hamish hamlet hammed hammer hammers hammond hampton hamster hamtaro handball handsome handyman hanna hannah
        hannahmont hannahmontana hannes hannibal hannover hans hansen hansol hansolo hanson hanuman happiness happy happyday
        happydays happyfeet happygirl happyhappy hardcore hardrock hardware hardwork harekrishna haribo hariom harish harlem
        harley harman harmony harold harper harriet harris harrison harry harrypotte harrypotter harsha harvard harvest harvey
        harvick haslo hassan hastings hate hateme hater haters hateyou hattie havana havefun hawaii hawaiian hawkesbury
        hawkeye hawkeyes hayabusa hayden haylee hayley hazel hbhc headshot health healthy heart heartbreak heartbroke
        heartless hearts heather heaven heavenly heavymetal heckfy hector hedgehog hehehe heidi heineken heinrich hejhej
        hejsan heka helen helena helene helicopter hell hellas hellboy hellen hellfire hello hellohello hellokitty hellomoto
        helloo hellos hellothere hellow helloworld hellraiser hellsing hellyeah help helpme hemi henderson hendrix henni
        henrik henrique henry hentai herbalife herbert herbie hercules heritage herman hermann hermes hermione hermosa hernan
        hernandez heroes herrera hershey heslo hesoyam hester heterosexual hevhk heyhey heyheyhey heythere heyyou hfid hfjdk
        hfleuf hfljcnm hfytnrb hgfdsa hgrfqg hhhh hhhhh hhhhhh hhhhhhh hhhhhhhh hidden higgins high highheel highland
        highlander highschool hihi hihihi hikari hikaru hilary hilaryduff hillary hillbilly hillside hilton himanshu hinata
        hindustan hiphop hippie hippo historia history hitachi hithere hitler hitman hjccbz hjvfirf hobbes hobbit hockey
        hoffman hogwarts hohoho hola holahola holden holein holiday holidays holla holland holler hollie hollister holly
        hollywood holmes holycow holyshit holyspirit home homeboy homelesspa homer homero homers homerun homework homie homies
        honda hondacbr hondacivic hondas honduras honest honesty honey honeybear honeybee honeybun honeybunny honeyko honeys
        hongkong honolulu hookem hooker hooligan hooper hooters hootie hoova hoover hope hopeful hopeless hopper horizon
        hornet hornets horney horny horror horse horses hospital hotboy hotchick hotdog hotgirl hothot hotlips hotmail hotmama
        hotpink hotrod hotsauce hotsex hotshot hotstuff hottie hotties hotty hotwheels houdini house houses houston howard
        howareyou hrenota hshshs http htubcnhfwbz hubert hudson hughes hugo hugoboss huhbbhzu humberto humble hummer hummerh
        humphrey humtum hungry hunter hunting hurensohn hurley hurricane husband husker huskers huskies hussain hustle hustler
        hyderabad hydrogen hyundai iamawesome iamcool iamgay iamgod iamhappy iamnumber iamthe iamthebest iamtheone ibanez
        ibanezjs ibicguwjic ibrahim icarus iceberg icecream icecube icegirl icehouse iceman icetea ichigo ichliebedi
        ichliebedich icotpd icthus icxkyb idefix idiot idontcare idontknow idunno ifeanyi iforget iforgot ifubn igetmoney
        ignacio ignoranto igor igorek iguana ihatethisgame ihateu ihateyou iiiiii ijrjkfl ijrjkflrf ilaria ilds ilikepie
        ilikesex ilikeyou illini illinois illuminati illusion ilov ilove ilovealex iloveboys ilovecats ilovechris ilovedavid
        ilovedogs ilovegirls ilovegod iloveher ilovehim iloveindia ilovejames ilovejesus ilovejoe ilovejohn ilovejosh
        ilovejusti ilovelife ilovelucy ilovematt iloveme ilovemike ilovemom ilovemusic ilovemybab ilovemydad ilovemyfam
        ilovemyfamily ilovemykid ilovemykids ilovemylife ilovemymom ilovemymum ilovemysel ilovemyself ilovenick ilovepussy
        iloveryan ilovesam ilovesex iloveu iloveyou iloveyouba iloveyouso iloveyoux iluvme iluvu iluvyou imagine imation
        imcool imelda imesh imgay iminlove imissu imissyou immortal imnumber impact impala imperial important impossible
        impreza imthebest imyaimyaimya inactive incognito incorrect incredible incubus independen independent india indian
        indiana indians indigo indira indonesia indya ineedyou infamous infantry inferno infiniti infinito infinity info
        information ingodwetrust ingrid inlove inna innocent insane insanity insert inside insomnia inspiron insurance integra
        integrity inter interests intermilan international internazionale internet intrepid intruder inuyasha invisible ipad
        iphone ipod ipswich ireland irene irina irinka irish irishka iriska irock ironmaiden ironman irving isaac isabel
        isabela isabella isabelle isaiah islamabad island ismael ismail israel istanbul itachi italia italian italiano italie
        italien italy itisme itsme itsmylife iubire ivan ivanov ivanova iverson ivyga izabella jack jackal jackass jacket
        jackie jackjack jackmore jackpot jackson jacky jacob jacobs jacqueline jacques jadakiss jade jaden jagger jaguar
        jaiden jaigurudev jaihanuman jaimatadi jaime jajaja jakarta jakcgt jake jakejake jakjak jalisco jamaica jamal james
        jamesbond jameson jamess jamie jamila jamjam jammer jammin jancok jane janek janelle janet janette janice janina
        janine janjan jansen januari january janvier japan japanese jared jarhead jarox jarrett jarrod jarule jarvis jasmin
        jasmina jasmine jason jasper javier jaybird jaycee jayden jayhawks jayjay jaylen jayson jazmin jazmine jazz jazzie
        jazzman jazzy jcdenis jdpvym jean jeanette jeanne jeannie jeep jeff jefferson jeffery jeffhardy jeffrey jehova jehovah
        jelena jello jelly jellybean jellybeans jellyfish jelszo jemima jenifer jenjen jenkins jenna jenni jennie jennifer
        jenny jensen jeremiah jeremy jericho jermaine jerome jeronimo jerry jersey jerusalem jess jesse jessi jessica jessie
        jessika jessy jester jesucristo jesus jesusc jesuschris jesuschrist jesuscristo jesusfreak jesusis jesusislord
        jesuslives jesusloves jesuslovesme jesuss jesussaves jetaime jeter jethro jetsmets jewel jewels jewish jfgvcqbuzug
        jiang jiefang jigsaw jill jillian jimbo jimbob jimena jimenez jimjim jimmie jimmy jingjing jingle jingles jjcg jjjj
        jjjjj jjjjjj jjjjjjj jjjjjjjj jjjjjjjjjj jkiuztdftl jkjkjk jkljkl jktxrf jktymrf jmoney joan joanna joanne joaquin
        jobhunt jobs jobsearch jobshop jocelyn joejoe joejonas joel joelle joey johan johann johanna johannes john johnathan
        johnboy johncena johndeere johnjohn johnlock johnny johnnydepp johnpaul johnson jojo jojojo jojojojo joker jokers
        jolene jolinek jomacapa jonas jonathan jonathon jones jonjon jonny jordan jordon jordyn jorge jose josefina joselito
        joseluis josemanuel joseph josephine josette josh joshua josiah josie journey joyce joyful joyjoy jrcfyf juan
        juancarlos juancho juanita juanito juanjose juanpablo jubilee jubjub judith juggalo juice juicy juju jujuju jules
        julia julian juliana julianna julie julieann julien juliet julieta juliette julio julius july jumanji jumper jumpman
        jundian june junebug jungle juninho junior juniper junjun junk junkie junkmail junpyo jupiter just justdoit justice
        justin justina justinbieb justinbieber justine justme justus justyna juventini juventus jwqa jyothi kaboom kacper
        kagome kaikai kaiser kaitlin kaitlyn kaka kakaka kakakaka kakaroto kakashi kakashka kaktus kaleb kalina kalpana
        kalyani kamala kamasutra kambal kambing kamehameha kameron kamikadze kamikaze kamil kamila kamilla kamote kampala
        kamran kanchan kangaroo kannan kansas kapej kara karachi karakartal karamba karaoke karate kareem karen karima karina
        karine karla karma karo karolina kartal karthik kartoffelpuffer karukera kasandra kasey kashmir kasia kasper kassandra
        kassie katana katarina kate katelyn katerina katharina katherine kathleen kathmandu kathryn kathy katie katkat katrin
        katrina katya kavita kavitha kawaii kawasaki kaycee kayden kaykay kayla kaylee kayleigh kayode kazantip keegan keenan
        keeper keepout keisha keith keller kelley kellie kelly kelsey kelvin kendall kendra kenken kennedy kenneth kennwort
        kenny kenshin kent kentucky kenwood kenworth kenya kenzie kermit kerry kerstin ketchup kevin kevnwo keyblade keyboard
        keystone keywest kfcnjxrf kfgjxrf kfhbcf khadija khaled khalid khalil khan khongbiet khushi kiara kickass kicker
        kickflip kidrock kids kieran kies kifj kikeunyw kiki kikiki kill killa killbill killemall killer killerman killers
        killian killjoy killkill killme killua killyou killzone kimber kimberley kimberly kimbum kimkim kimmie kimmy kims
        kinder kindness king kingdom kingfish kingfisher kingjames kingking kingkong kingpin kings kingsley kingston kinky
        kinomoto kipper kira kirby kirill kirkland kirsten kirsty kishore kismet kiss kisses kissing kisskiss kissme kissmyass
        kitchen kitkat kitten kittens kittie kitties kitty kittycat kittykat kittykitty kittylove kittys kiwi kjifhf kjiflm
        kjkszpj kjrjvjnbd kkkk kkkkk kkkkkk kkkkkkk kkkkkkkk kkkkkkkkkk klapaucius klaster klaudia kleopatra klinger klopklop
        klyn kmzwa knackwurst knicks knight knights knopka know knowledge knows knuckles koala kobe kobebryant kochamcie
        kochanie kodiak kokakola koko kokoko kokokoko kokomo kolawole kolbasa kolkata kolobok kolokol komodo komputer konfetka
        konrad konstantin kontakt kontol kookie kool koolaid korean korn koroleva korova kosama koshka kosmos kosova kostik
        kostya kotenok kowalski kpot kqcctwy kramer krasota krasotka kratos krazy kris krishna krishnan krissy krista kristal
        kristel kristen kristi kristian kristie kristin kristina kristine kristy krokodil kroliczek krolik kronos krystal
        krystyna ksenia kseniya ksusha kthjxrf ktyjxrf kuana kucing kumar kungfu kurama kurdistan kurt kurtcobain kurwamac
        kyle kylie labrador labtec lacey lacoste lacrimosa lacrosse laddie ladies ladiesman lady ladybird ladybug ladygaga
        laetitia laguna lahore lakers lakeside lakewood lakiss lakota lakshmi lala lalakers lalala lalalala lalaland lalita
        lalitha lamar lambert lamborghini lamont lampard lana lananh lancaster lance lancelot lancer lancia landmark landon
        landrover lane langga language lansing lapinou lapochka laptop lara laracroft larisa larissa larry lasalle laska
        lassie last lastfm lasvegas late latifa latina latino latoya laughter laura laurah laurel lauren laurence laurent
        lauretta laurie laurita lavalamp lavanya lavender lavezzi lavigne lavinia lavoro lawrence lawson lawyer layla layout
        layouts lazarus lbvjxrf ldgend leader leah leandro leanne learning leather leavemealone lebanon lebron lebronjame
        ledzep ledzeppelin leeann leeds leedsutd leelee leeloo left legacy legend legenda legendary legion legolas lehjxrf
        leicester leigh leika leilani leinad leland leliane lemon lemonade lemons lena lenalena leningrad lenka lenlen lennon
        lennox lenny lenochka lenovo leoleo leolong leon leonard leonardo leonel leonid leonidas leonie leonor leopard leopold
        leopoldo leralera leroy lesbian lesley leslie lespaul lestat lester leticia letitbe letizia letme letmein letmeinnow
        letsgo letter lewis lexie lexmark lexor lexus lfitymrf lfybbk lfybkf lhfrjy liam libby libero liberta libertad liberte
        liberty libra library lickme licorice life lifeisgood lifesucks lifetime ligabue light lightbulb lighthouse lighting
        lightning lightpower lights lilbit lili lilian liliana lilica lilili lilith liliya lilli lillian lillie lilly lilmama
        lilman lilpimp lilwayne lily limegreen limited limpbizkit lina lincogo lincoln linda lindinha lindsay lindsey lineage
        lingling link linked linkedin linkedln linker linkin linkinpark linusd lion lionel lioness lionheart lionking lions
        lipgloss lipstick lipton liquid lisa lisalisa lisamarie lisboa listen lithium little littlebit littlegirl littleman
        littleone live livelife liverp liverpool liverpoolfc livestrong living liza lizard lizbeth lizottes lizzie lizzy
        ljxtymrf lkjhgf lkjhgfdsa llama llamas llll llllll llllllll lloyd lmapacey lobster locked loco locura logan login
        logitech lokita lokoloko lokomotiv lola lolalola lolek lolipop lolita lollipop lollol lollollol lolly lollypop lolo
        lolol lololo lololol lolololo lolotte london londres lonely lonestar lonewolf longbeach longhorn longhorns lonnie
        lonsdale looby look lookatme looking looney looser lopata lopez lord lordjesus loredana lorena lorenz lorenzo loretta
        lorraine losangeles loser loserface losers lost lottie lotus louie louis louisa louise loulou louloute lourdes lovable
        love loveable lovebird lovebug loved loveforever lovegod lovehate lovehim lovehurts loveis loveislife loveit lovejesus
        lovejoy loveless lovelife lovelove lovelovelove lovely lovelygirl loveme lovemom lovemykids lover loverboy lovergirl
        loverman lovers loves lovesex lovestory lovesucks loveu loveya loveyou loving lovingyou lowrider loxpider loyalty
        loyola lozinka ltybcrf luca lucas lucero lucia lucian luciana luciano lucie lucifer lucille lucinda lucinka luckies
        lucky luckyboy luckydog luckyme luckystar lucy ludacris ludi ludivine ludmila ludovic ludwig luigi luis luisa luisito
        lukas lukasz luke lulu lululu lumiere luna lunaluna lunatic lunita lupita luther luym lvbkf lvbnhbq lydcc lydia lygb
        lynette lynlyn lynn lzhan maburro macaco macarena macaroni macdaddy macdre machine maciek macintosh mack mackenzie
        mackie macmac madafaka madagascar madagaskar madalina madara madden maddie maddison maddog maddox maddy madeleine
        madeline madelyn madhuri madina madinina madison madmad madman madmax madness madona madonna madrid madryt madzia
        maella maemae maestro mafalda mafia magali maganda magandaako magazine magda magdalena magenta maggie maggiemay maggot
        magic magical magician magick magicman magnet magnolia magnum magnus magpie mahal mahalkita mahalko mahalkoh mahalq
        mahendra mahesh mahmoud maiden mail mailman maimai maisie maison maiyeuem majestic majesty major makaka makaveli
        makayla makemoney makenzie makeup maksim maksimka makulit malachi malaga malaka malaysia malboro malcolm malcom
        maldini maldita maldives malena malibu malice malik malika malina malinka malish malishka mallard mallorca mallory
        malone malvina mama mamacita mamadou mamama mamamama mamamia maman mamapapa mamasita mamika mamikawada mamina maminka
        mamita mamma mammamia mammina mamochka mamour management manager manchester manchesterunited mancity mandarin mandingo
        mandrake mandy manfred mango mangos manhattan maniac manila manish manisha manjula mankind manman manning manny
        manolito manolo manon manowar manson manu manuel manuela manunited manutd manzana maomao maplestory maprchem maradona
        maranatha marathon marbella marble marc marcel marcela marcella marcello marcelo march marcia marcin marco marcopolo
        marcos marcus marek margaret margarida margarita margaux margherita margie margot marguerite mari maria mariah
        mariajose mariam mariama marian mariana marianna marianne mariano marias maribel marica maricar maricel marie mariel
        mariela mariella marielle marietta marigold marihuana marija marijuana marika marilena marilou marilyn marimar marina
        marinara marine mariners marines marinka marino mario marion mariposa marisa marishka marisol marissa marita maritza
        marius mariusz mariya marjorie mark marker market marketing markie markiz markiza marko markus marlboro marlene marley
        marlin marlon marmalade marmar marmite marmotte maroon marques marquez marquis marriage married marron mars marseille
        marsel marsha marshal marshall marsik marta martha martian martin martina martine martinez martini martins marty
        martyn marusya marvel marvin mary maryam maryann maryanne marygrace maryjane maryjoy marykay maryland marymary
        maryrose masamune mase maserati mash masha mashka masina mason massage massimo massive master masterkey mastermind
        masters matador matahari mate matematica matematika mateus mateusz mathematics matheo matheus mathew mathias mathieu
        mathilde mathis matias matilda matilde matisse matrix matt matteo matthew matthews matthias matthieu mattia mattie
        matty matyas maureen maurice mauricio maurizio maverick maxell maxence maxim maxima maxime maximilian maximiliano
        maximka maximo maximum maximus maxine maxmax maxpayne maxpower maxwell maya mayank mayday mayhem maymay maynard mayowa
        mayquinn mazafaka mazda mazdarx mbahurip mcdonald mcdonalds mcgrady mckenna mckenzie mclaren mclarenf meadow meagan
        meandyou meatball meathead meatloaf mechanic mechanical media medical medicina medicine medina medion medusa medved
        meenakshi mega megadeth megafon megaman megan megane megaparol megasecret megatron meggie meghan mehmet meister
        melania melanie melbourne melina melinda melisa melissa mellon mellow melo melodie melody melrose melvin member meme
        mememe memorex memories memory memphis mendez mendoza mental mentos meow meowmeow meowmix mephisto mercado mercedes
        mercurio mercury mercy merda merde meredith merida meridian merlin merlot mermaid mersedes message messenger messi
        messiah metal metalgear metalica metall metallic metallica meteor meteora method metro metroid mewtwo mexican mexicano
        mexico mgreen mhine miami miamia miamor mibebe micaela micah michael michaela michaeljac michaeljackson michal micheal
        michel michela michele michelle michigan michoacan mickael mickey mickeymous mickeymouse microlab microsoft midget
        midnight midnite midori mierda mighty migrationschool miguel miguelito mihaela mihail mikael mikaela mikayla mike
        mikejones mikemike mikey miki mikimiki milacek milagros milan milana milano milashka mildred mile milena miles miley
        mileycyrus military milk milka milkman milkshake milkyway millenium millennium miller millie million millions millwall
        milly milo milton mimi mimimi mimine mimosa mindy mine minecraft minemine minerva minette mingming minhasenha mini
        minicalibra miniclip minicooper minimal minime minimum minister ministry minnesota minnie minouche miracle miracles
        mirage miranda mirantte mireille mirela mirella miriam miroslav mirror mischa mischief misfit misfits misha mishijos
        mishka misiaczek misiek missie mission mississipp mississippi misskitty missouri missy missyou mister misterio mistral
        mistress misty mitch mitchell mitsubishi mittens mivida mjdsf mkal mmmm mmmmm mmmmmm mmmmmmm mmmmmmmm mmmmmmmmmm
        mnbvcx mnbvcxz mobile mobster mobsters mocha model modena modern moderncombat moemoe mohamed mohammad mohammed moimeme
        moimoi moises mojojojo molina mollie molly mollydog moloko molson momanddad momdad momma mommie mommom mommy mommyof
        momo momof momomo momoney monaco monalisa monamour monange monarch moncoeur monday mondeo money moneymaker moneyman
        moneymoney moneys mongol mongoose monica monika monique monitor monkey monkeyboy monkeybutt monkeyman monkeys monmon
        monopoly monroe monster monstercha monsters montagne montana montecarlo montero monterrey montgom montgomery montreal
        monty monyet moocow mookie moomoo moon moonbeam moonlight moonmoon moonshine moonstar moose morales morango mords
        moremoney morena moreno moretime morgan morgana morgane moritz mormor morning morpheus morris morrison morrowind
        mortal mortgage mortimer morton moscow moses moskva mosquito mostafa mostwanted motdepasse mother motherfuck
        motherfucker motherlode motherof motocross motorbike motorcycle motorhead motorola mouette moumoune mountain mouse
        moussa mousse movies mozart mozilla mpeater mputer mudar mudvayne mufasa muffin muffins muhammad muhammed mukesh
        mulder mullet mulligan multimedia multiplelog mumbai mumdad mummy munchie munchkin muppet murali murcielago murder
        muriel murphy murray murzik muscle mushroom music musica musical musician musiclover musicman musik musique muskan
        muslim mustafa mustang mustangs mustapha mustard mutant mutter myangel mybabies mybaby myblocker myboo myboys mydear
        myfamily myfather myfriend mygirl mygirls myheart myhome myhoney myjesus mykids mylene mylife mylinkedin mylord mylove
        mylover mymother mymusic myname mynameis mynoob mypass mypassword myriam myrtle mysecret myself myspac myspace
        myspacepas mysterio mystery mystic myszka mytime mywife myworld nabila nacho nacional nadege nadejda nadia nadine
        namaste nana nanana nancy nandini nanny nanook nanou naomi napoleon napoli narayan narayana narendra naresh narnia
        naruto nascar nash nashville nastena nastenka nastia nasty nastya nata natacha nataha natali natalia natalie nataliya
        natalka nataly natalya natasa natascha natasha nate nathalie nathan nathaniel natiichen nation national native natural
        nature naughty nautica nautilus navarro naveen navigator naynay nazareth nbvjatq ncess nebraska nedved need needajob
        needforspeed neelam neeraj nefertiti negrita negrito negro nellie nelly nelson nemesis nena nene neneng nenette nenita
        neopets neptune nerds nerone nescafe nessa nessie nestle nestor netlog network networking nevada nevaeh never
        neveragain nevergiveup neverland nevermind nevermore nevim newcall newcastle newday newjersey newjob newlife newman
        newmoon newnew neworleans newpass newpasswor newpassword newport newstart newthree newton newuser newvision newyear
        newyork newzealand nextel neyu nfnmzyf nfvfhf nfytxrf nguyen ngxb nibbles nice niceguy nicholas nichole nick nickel
        nickelback nickie nickiminaj nickjonas nicknick nickolas nicky nico nicola nicolas nicole nicoleta nicoletta nideknil
        nigeria nigga niggas nigger niggers night nightmare nightwish nike nikhil niki nikita nikitos nikki niklas nikola
        nikolai nikolas nikolay nimbus nimrod nina ninanina niners nineteen ninja ninjas nintendo nipper nipple nipples
        nirmala nirvana nissan nitram nitro niunia nkechi nked nkey nnnnnn noah nobody noel noelia noelle noemie nofear
        noiembrie noisette nokia nokian nolimit nolove nomeacuerdo nomore noname none nonenone nonmember nono nonono noodle
        noodles nookie nopass nopassword norbert noreen norma normal norman norte north northern northside norton norway
        nosferatu notebook nothing nothings notorious notredame notthat nottingham nougat nounou nounours november novembre
        noviembre novo noway nowehaslo nssadmin ntktajy ntktdbpjh nuclear nugget nuggets null numba number numberone numero
        nummero nurse nursing nutella nutmeg nuttertools nuvola nwolf nymets oakland oakley oasis oatmeal obama obelix obinna
        obiwan oblivion ocean oceane oceans ocpoook octavia october octopus octubre odessa odette odidol ofakind office
        offspring ogplanet ohiostate ohmnamah ohmygod ohshit ohyeah oicu oilers oioioi oklahoma okokok oksana oktober olalekan
        olamide olamilekan olanrewaju olaola olatunji olawale olayinka oldman oldnavy oldschool olechka oleg olenka olesya
        olga olimpia olitec olive oliveira oliver olivia olivier ollie olmetec olumide olusegun oluwaseun olympus omar omarion
        omega omni omsairam omshanti onedirection onelove onepiece onetime onetwo onkelz online only onlyme onlyone onlyyou
        ontario oojs oooooo oooooooo opelastra opelcorsa open opensesame openup operation operator opernhaus opeyemi ophelia
        ophelie opopop optimus oracle orange oranges orchid ordenador ordie ordinateur oregon oreo orient oriflame origin
        original orion orlando ornella ortega oscar osiris ossi othello ottootto outkast outlaw overdrive overkill overlord
        ownage oxford oxygen pablito pablo pace pacific packard packers pacman pacshakur paddle paddy padilla paige painkiller
        paintball painter painting paisley pajero pakistan pakistani palace paladin palermo pallavi pallina pallino pallmall
        palmeiras palmer palmtree paloma palomino paluso pamela pampam panama panasonic pancake pancakes panchito pancho panda
        pandabear pandas pandora panget pangit panic pankaj panorama pantera panther panthers panties panzer paola paolo
        paopao papa papabear papamama papapa papapapa papatoma papaya paper paperino papers papichulo papillon papito paprika
        paquito paradis paradise paradox paraiso paramedic paramore paranoid parents paris parker parkour parlament parola
        parolamea parole parrot partizan partner party partytime pasadena pasaway pascal pascale pascual pasquale pass passat
        passcode passer passion passions passme passord passpass passport passw passward passwd password passwords passwort
        pastor pasword patata patate patatina patch patches pathfinder patience patito patrice patricia patricio patrick
        patrik patriot patriots patrizia patron patryk patterson patton patty pauko paul paula paulette paulie paulina pauline
        paulo pavel pavilion pavlik pawpaw payton pazzword pdtplf peace peaceful peaceout peach peaches peachy peacock peanut
        peanutbutter peanuts pearl pearljam pearls pebbles pedarsag pedrito pedro peekaboo peepee peewee pegaso pegasus peggy
        pelican pelota peluche pelusa pencil pendejo penelope penguin penguins penis pennstate penny pennywise pentagon
        pentium people pepe pepette pepino pepita pepito peppe pepper peppermint peppers peppino pepsi pepsicola perach
        pereira perfect perfection perico perkele perkins perrito perro perros perry persik person persona personal pessac
        pete peter peterbilt peterpan peters peterson petey petra petram petrov petrova petunia peugeot peyton pfqxbr phantom
        pharma pharmacy pheonix phil philip philipp philippe philippine philips phillies phillip phillips philly phoebe
        phoenix phone photo photos phrowz phuong phyllis physics piano piazza picard picasso piccola piccolo pickle pickles
        picture pictures piepie pierce pierre pietro piffish pigeon piggy piglet pikachu pilgrim pilipinas pillow pilot pimp
        pimpdaddy pimpin pimping pimpjuice pineapple pingpong pinguin pinguino pingvin pink pinkfloyd pinkie pinklady
        pinkpanther pinkpink pinky pinocchio piolin pioneer piotrek pioupiou pipeline piper pipoca pippen pippin pippo
        piramida piramide pirata pirate pirates pisces pissoff pistache pistol pistons pitbull pittsburgh pixie pixies pizdec
        pizdetz pizza pizzahut pizzas pjkjnj placebo planet planeta plasma plastic platinum platon platypus play playa playboy
        player players playgirl playstatio playstation playtime please pleasure plokij ploppy plumber plus pluto plymouth
        pobeda pocahontas pocket poepen poetry pogiako poilut point poipoi poison poisson poiu poiuy poiuyt poiuytre
        poiuytrewq poiuytreza pokemon poker pokerface pokpok poland polarbear polaris polenka police policeman policia polina
        pollito pollo pollux polly polniypizdec polo polopolo polpol polska pomalo pommes pompey pompier pompom poncho pontiac
        poochie poodle pooh poohbear pookie poonam poop pooper poophead poopie poopmaster poopoo pooppoop poopy pooter popcorn
        popeye popo popopo popopopo popova popper poppin poppop poppy popstar poptart poptropica popular porcodio porkchop
        porn porno pornstar porsche portable portal porter portia portland portugal poseidon poser positive positivo possible
        possum postal poster potato potatoes pothead potpot potter poulette poupee poupette poupoune poussin povlmly povray
        powder powell power powerful powerman powerof powerpuff powers ppoo pppp ppppp pppppp pppppppp pqntmt pradeep praise
        prakash praline pranav prasad prasanna prashant praveen prayer preacher preciosa precious predator preeti prelude
        premier premium presario president presley prestige presto preston pretty prettyboy prettygirl prettyme primavera
        primrose primus prince princes princesa princesita princess princessa princesse princeton principe principessa
        pringles printer prisca priscila priscilla prison prissy privacy private privet priya priyanka prodigy production
        professional professor profile profit progress project projectsadminx promise property prophet prosper prosperity
        prosto protect prototype prova proverbs proview prudence przyjaciolki psalm psalms psicologia psycho psychology ptzmse
        public puddin pudding puddles puertorico pugsley pulamea pulsar puma pumas pumpkin pumpkins punisher punjab punk
        punker punkin punkrock puppet puppies puppy puppydog puppylove puppys pupsik pupuce purdue purple pushkin pushpa
        pussies pussy pussycat pussys putangina puttana putter puzzle pwtest pyon pyramid python qaqaqa qarglr qawsed qawsedrf
        qawsedrftg qaywsx qazedc qazplm qazqaz qazqazqaz qazse qazwsx qazwsxed qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb qazxc
        qazxcv qazxsw qazxswedc qazxswedcvfr qazzaq qdlqb qdujvyg qiciqdp qmfs qomx qpalzm qpul qpwoeiruty qqqq qqqqq qqqqqq
        qqqqqqq qqqqqqqq qqqqqqqqqq qqqwww qqww qqwwee quadro quake quality quantum quartz quattro quebec queck queen queenbee
        queenie queens quentin question qugrqfo quicksilver quiksilver quincy qwarty qwas qwaszx qweasd qweasdzxc qwedsa
        qwedsazxc qweewq qwegta qweqwe qweqweqwe qwer qwerasdf qwerasdfzxcv qwerf qwerfdsa qwerpoiu qwerqwer qwerrewq qwert
        qwertasdfg qwertqwert qwerty qwertyasd qwertyasdfgh qwertyqwerty qwertyu qwertyui qwertyuio qwertyuiop qwertyytrewq
        qwertz qwertzu qwertzui qwertzuiop qwezxc qwqwqw qwqwqwqw qyahzn rabat rabbit rabbits rabota racecar racer racerx
        rachael rachel rachelle rachid racing racoon radeon radhika radical radio radiohead raduga rafael rafaela raffaele
        raffaella ragnarok rahasia rahman rahul raiden raider raiders raiderz railroad rain rainbow rainbows raindrop rainman
        raistlin rajendra rajesh rajkumar rakaii rakesh raleigh ralph raluca ramazan rambler rambo ramesh ramirez ramiro
        rammstein ramon ramona ramones rampage ramram ramses ramsey rancid randall random randy randyorton ranetki range
        ranger rangerover rangers ranjan raphael rapper raprap raptor rapture raquel rascal rasengan rashad rasheed rashid
        rashmi rasmus raspberry rasputin rasta rastafari rastaman raven ravens rawr rayman raymond rayray raziel razjel razor
        razvan rbhbkk rbotmvz rctybz rdan rdfhnbhf rdukv reader reading ready reagan real realestate reality really realmadrid
        realnigga realtor reaper reason rebeca rebecca rebekah rebel rebelde rebels reborn rebound record recovery redab
        redalert redbone redbull redcar reddevil reddog reddragon redemption redfish redfox redhat redhead redhorse redhot
        redline redman redneck redred redrose redroses redrum redskins redsox redstar redwine redwings redwood reebok reefer
        reese reflex reggae reggie regina reginald regine register reglisse rehbwf reilly rejoice reliance reload reloaded
        remember rememberme remington remo remote renata renate renato renault rencontre renee renegade reno renren rental
        renuka requiem rereirf rerere rescue research reset resetme reshma resident residentevil resing respect restart resume
        retard retired reuben reunion revelation revenge reveur revolution revolver rewq reyes reynaldo reynolds rfgecnf
        rfhbyf rfhfgep rfhfvtkmrf rfhfylfi rfhnjirf rfnthbyf rfntymrf rfrfirf rfrnec rfvfcenhf rhbcnbyf rhfcfdbwf rhfcjnf
        rhfcjnrf rhiannon rhinos rhjkbr rhjrjlbk rhodan rhonda ricardo riccardo rich richard richards richardson richie
        richmond rick ricky riddick rihanna riley ringo ripcurl ripley ripper rita river rivera riverplate rivers riverside
        rizxt rjhjdf rjhjkm rjhjktdf rjitxrf rjntyjr rjyatnrf rjycnfynby rjynfrn rksk rktjgfnhf roadkill roadking roadrunner
        roanne robbie robert roberta roberto roberts robin robinho robinhood robinson robocop robot robotech robotics rocco
        rochelle rochester rock rockandroll rocker rockers rocket rocketman rockets rockey rockford rockie rockman rocknroll
        rockon rocks rockstar rocky rockyou rodeo roderick rodina rodney rodolfo rodrigo rodrigues rodriguez rogelio roger
        rogers roland rolando roller rollin rolltide roma romain roman romana romance romane romania romano romans romantic
        romario romaroma romashka romeo romero romina rommel romy ronald ronaldinho ronaldo ronnie ronron rookie rooney
        rooster root rootbeer roro rosa rosales rosalia rosalie rosalinda rosanna rosaria rosario rosco roscoe rose roseann
        rosebud rosemarie rosemary roserose roses roshan rosie rosita rossella rossi roswell rotten rotterdam rough route
        rover rovers rowdy rowena roxana roxane roxanne roxie roxy royal royals rrrrrr rsavoy rtyuehe rubber rubberduck ruben
        ruby rudeboy rudolf rudy rufus rugby rugrats ruler runescape runner running rupert ruqueb rush ruslan russel russell
        russia russian rustam rusty ruth ruthie ryan ryjgrf sabbath sabina sabine sable sabrina sacha sachin sacramento sacred
        saddam sadie sadsad safari safety saffron sagitario sagitarius sahabat sahara saibaba saigon sailboat sailing sailor
        sailormoon saint saints sairam saitou sakura salam salamanca salamander salamandra salami salasana salazar salem
        salerno sales salima salinas sally salman salmankhan salmon salome salomon salope salsa salut salvador salvation
        salvatore samanta samantha samara sameer samiam samir samira sammi sammie sammy sampdoria sample sampson samsam
        samsara samson samsun samsung samtron samuel samuele samurai sanandreas sanane sanchez sancho sandberg sandeep sander
        sanders sandhya sandie sandiego sandman sandoval sandra sandrine sandro sandwich sandy sangeeta sangeetha sanjana
        sanjay sanjeev sanjose sanjuan sansan santa santacruz santafe santamaria santana santhosh santiago santino santos
        santosh saopaulo saphire sapphire sara sarah sarajevo sarasara saraswati saratoga sardegna saretta sarina sarita sasa
        sasasa sasasasa sascha sasha sashka sasin saskia sassi sassie sassy sassygirl sasuke satan satana satanas satellite
        sathya satish satnam satsuki saturday saturn satyam saurabh sauron sausage sausages savage savanna savannah saveme
        savior saviour sawyer saxophone sayang sayangku scamper scania scanner scarface scarlet scarlett schalke schatz
        schatzi scheisse scherz schnecke schneider schokolade school schule schumacher schumi science scooby scoobydoo scooter
        scorpio scorpion scorpione scorpions scotch scotland scott scottie scotty scout scrabble scrappy scratch scream screen
        scruffy scuba scully scvmofas sdfsdf sdream seagull seahawks seahorse seaman seamus sean seanpaul search season
        seatleon seattle sebastian sebastien second secret secreto secrets secure security sedona seeker seigneur seinfeld
        sekret select selena selenagome selene selina semangat semarang seminole seminoles semperfi senator seneca senegal
        senha senior seniseviyorum sensei sentinel sentnece sephiroth september septiembre sepultura serafina serdar serega
        serena serendipity serenity sergei sergej sergey sergio serious serkan serpent serrano serseri server service services
        servus sesame sestra seven seventeen severine sevgilim sevilla sexbomb sexe sexii sexsex sexsexsex sextrime sexual
        sexxxy sexxy sexy sexyass sexybabe sexybaby sexyback sexybeast sexybitch sexyblack sexyboy sexychick sexygirl sexygurl
        sexylady sexylove sexymama sexyman sexyme sexyred sexysexy shad shadow shadows shady shaggy shaheen shahid shahrukh
        shaina shakespeare shakira shakur shalini shalom shaman shampoo shamrock shandy shane shaney shanghai shania shanice
        shankar shanna shannon shanti shaolin sharingan shark sharks sharky sharma sharon sharp sharpie shasha shashank shashi
        shasta shaun shauna shawn shawna shawty shayla shayna shayne shayshay shazam shearer sheba sheeba sheena sheetal
        sheffield sheila shelby sheldon shell shelley shelly shepherd sheridan sheriff sherlock sherman sherri sherry sherwin
        sherwood sheryl sheshe shevchenko shibby shiela shiloh shilpa shinigami shinobi shirley shit shitface shithead
        shitshit shitty shiva shivam shivani shmily shoes shogun shooter shopper shopping short shortie shorty shotgun
        shotokan showme showtime shreya shrimp shriram shruti shubham shurik shutup shweta sicilia sidekick sidney siemens
        siempre sienna sierra sigma silence silent silkroad silly silvana silver silverado silvia silvio simba simmons simon
        simona simone simple simpleplan simpson simpsons simran simsim simson sinaloa sinatra sinbad sincere sinclair sindhu
        singapore singer singh singing single sinister sinned sinner siobhan sipfhair sirena sirius sissy sister sisters
        sithlord sixers sixsix sixteen sixty skank skate skateboard skateordie skater skaterboy skaterdude skating skeeter
        skeleton skidoo skiffy skiing skillet skinhead skinner skinny skipper skippy skittles skolko skorpion skyblue skyhawk
        skylar skyler skyline skyliner skywalker slacker slamdunk slapshot slash slave slavik slayer sleepy slick slider
        slimjim slimshady slinky slipknot slonik slovensko slunicko slut smackdown smallville smart smarties smarty smashing
        smelly smile smiles smiley smirnoff smirnov smirnova smith smitty smoke smoker smokeweed smokey smokie smokin smoking
        smooth smudge snake snakes snapper snapple snatch sneakers sneaky snickers sniper snooker snoop snoopdog snoopdogg
        snoopy snorre snow snowball snowboard snowflake snowie snowman snowwhite snowy snuffy snuggles sobaka soccer social
        socks socorro socrate socrates sodapop sofia softball software sojdlg sokolov sokolova solange solaris soldat soldier
        soledad soleil soleluna solidsnake solitario solitude solnce solnishko solo solomon soloyo solrac solution
        somanypickles somebody someday someone somerset something sommer sonali sonata songbird songoku sonia sonic sonics
        sonicx sonnenschein sonny sonoio sons sony sonyericsson sonysony sonyvaio sooner sooners sophia sophie soprano soraya
        soso soukayna soulfly soulja souljaboy soulmate souris sousou south southern southpark southpole southside southwest
        sowhat space spaceman spaghetti spam spanish spanky sparkle sparkles sparks sparky sparrow sparta spartacus spartak
        spartan spartans speak speaker spears special specialk spectrum speed speedo speedway speedy spencer speranza spez
        sphinx spice spider spiderman spidey spike spiker spikes spikey spinner spionin spirit spitfire spitsy splash splendid
        splinter spoiled spolana sponge spongebob spooky sport sporting sports sporty spotty spring springer sprint sprinter
        sprite spunky spurs sputnik spyder squall square squash squirrel squirt srikanth srilanka srinivas sriram ssss sssss
        ssssss sssssss ssssssss ssssssssss ssword ssyu stacey stacie stacy stalin stalker stallion standard stanford stani
        stanislav stanley staples star starbuck starbucks starburst starcraft stardust staredobre starfire starfish stargate
        stargazer stargirl starlight starr starry stars starship starstar start startfinding startrek starwar starwars
        starwarsfan stasik static station status stayout stealth steaua steele steelers stefan stefangreil stefania stefanie
        stefano steffen steffi steflio stella stellina step stepan steph stephan stephane stephanie stephen stereo sterling
        sternchen sterva steve steven stevens stevie stewart stewie sticky stigmata stimpy stinger stingray stinker stinky
        stitch stolen stone stonecold stoned stoner stones stoney storm stormy strange stranger stratfor stratocaster stratus
        strawberry street strength stress stretch strider strike striker strings stripes strong stronger stronzo stryker
        stuart student studio stuff stumpy stunna stunner stunt stupid stuttgart subaru sublime subway subzero succes success
        successful sucesso sucker suckit suckme suckmydick suerte sugar sugarbear suicide sukses sullivan sultan summer
        summertime summit sundance sunday sunderland sunfire sunflower sunita sunlight sunny sunnyday sunrise sunset sunsh
        sunshine supa super superboy superduper superfly supergirl superhero superior superman supermanboy supermario
        supernatural supernova supersonic superstar supervisor superwoman support supreme surabaya surena sureno surenos
        suresh surethang surf surfer surfing surprise surside survivor susan susana susanna susanne sushi sushma susie suslik
        suzanne suzuki sverige sveta svetik svetlana svoboda swagger swallow swampfire swapna swatch swathi sweden sweet
        sweetangel sweetgirl sweetheart sweethome sweetie sweetiepie sweetlove sweetness sweetpea sweets sweety swetha swimmer
        swimming swinger sword swordfish swords sydney sylvain sylvester sylvia sylvie syncmaster synergy syqo syracuse system
        szczurek tabby tabitha taco tacobell tacoma tadpole taekwondo taffy tahiti taishan taiwan tajmahal talent talisman
        tamahome tamara tamere tammy tamtam tangerine tanginamo tangkai tango tania tanisha tanja tanker tanner tantan tanya
        tanzania tapout tara tarakan tardis target tarheel tarheels tartaruga tarzan tascha tasha tata tatarin tatata tatiana
        tatjana tattoo tatyana tauchen taurus taylor taytay tazman tazmania tball tbone tdutybq tdutybz teacher team teamo
        teamomucho teapot tech techn technics techno technology tecktonik teddy teddybear teenaa teetee teiubesc tekiero
        tekila tekken telecaster telechargement telecom telefon telefono telephone television televizor temitope temp tempest
        temple temporary temppass temppassword tendulkar tenerife tennessee tennis tenshin tenten teodora teodoro teonamaria
        tequiero tequila terence teresa teresita tereza terminal terminator terrance terrell terrence terror terry terrys
        terserah tesoro tessa tessie test teste tester testing testpass testtest tetris texas thailand thalia thankgod thanks
        thankyou theatre theband thebears thebeast thebeatles thebest theboss theboys thecat thecure thedog thedoors thedude
        theend thegame thegreat thekid theking thelma theman themaster thematrix theodore theone theonly theresa therese
        therock theshit thesims thethe theused thiago thibault thieric thierry thinking thirteen thisisit thisisme thissucks
        thizz thomas thompson thomson three threekids thriller thug thuglife thumper thunder thunderbird thursday tiamo tianya
        tiburon tichuots ticket tictac tiesto tiffany tiger tigerlily tigers tigerwoods tigger tigres tigrou tilly timber
        timberlake timberland time timepass timmy timothy timoxa timtim tina tingting tink tinker tinkerbel tinkerbell tinkle
        tinman tintin tipper tippy titan titanic titanium titans titeuf titi titine titleist tits titties tiziana tkbpfdtnf
        tkfkdgo tmnet tmvlzj toaster tobias toby today todd toffee together toilet tokiohotel toledo tolkien tolulope tomas
        tomate tomato tomboy tombrady tomcat tomek tommaso tommie tommy tommyboy tomorrow tomtom toni tonino tonton tony tonya
        tonyhawk toonarmy tootie tootsie topbull topbutton topcat topdog topgun topher topolino topper topsecret toriamos
        torino tornado toronto torpedo torrent torres tortoise tortue tortuga toshiba total toto totoro tototo tottenham totti
        toulouse toutou toyota trabajo trabalho tracer tracey track tracker trackstar tractor tracy trader traffic trainer
        training trains traktor tralala trance trandafir transam transforme transformers transit transport trapdoor trapper
        travail travel traveler travis treasure trebor tree treefrog treehill treehouse treflip treguier trent trenton tresd
        tresor treu trevor trfnthbyf trial triangle tribal tricia trick tricky tricolor trident triforce trigger trigun trina
        trinidad trinitron trinity triple tripleh triplets tripper trisha triskelion tristan tristen triton triumph trivium
        trixie trojan trojans trololo trombone tronwell trooper tropical trouble troy truck trucker trucks trueblue truelove
        truman trumpet trunks trust trustme trustno trustnoone truth tryagain tsrbv tsunami tttt tttttt tuangbi tucker tudelft
        tuesday tujhrf tulipan tulipe tulips tunafish tundra tuning tunisie tupac tuputamadre turbo turkey turner turtle
        turtles tuxedo tweety tweetybird twelve twenty twiggy twilight twingo twinkie twinkle twins twisted twister twiztid
        tycoon tyler typhoon tyrael tyrone tyson tytyty tyuiop tzir uchenna uchiha ufkbyf uganda uhfaabnb uhfybn uiopy
        ukflbfnjh ukraine ulises ulisse ultima ultimate ultras ulysse umbrella undead under undercover underdog underground
        underoath undertaker underworld unforgiven unicorn unicorns unique unit united univers universal universe university
        universo unknown unlimited unlock unreal uphill upjw upperd uranus urmom ursula usarmy usdopaa user username usher
        utopia uuhza uuuuuu uvgx uzumaki uzumymw vacances vacation vader vadim vaffanculo vagina vaibhav vaishali vale
        valencia valentin valentina valentine valentino valera valeri valeria valerie valerio valeriya valery valhalla
        valkyrie valley vampir vampire vampires vampiro vancouver vandana vanesa vanessa vanhalen vanilla vanille vargas
        varsha varvara vascorossi vasilisa vasiliy vaughn vauxhall vbienrf vbifyz vbkfirf vectra vegas vegeta vehpbr velocity
        velvet vendetta venera venezia venezuela venice venkat venom ventura venus vera verbatim vergessen vergeten veri
        veritas verizon vermont vernon verona veronica veronika veronique verpool versace vertigo veyou vfcnth vfczyz vfhbirf
        vfhbjk vfhbyf vfhbyjxrf vfhecz vfhnsirf vfhufhbnf vfhujif vfibyf vfitymrf vfkbyf vfksirf vfndtq vfntvfnbrf vfrcbv
        vfrcbvrf vfvekz vfvf vfvfgfgf vfvfvfvf vfvjxrf vgfh viagra vicecity vicente vickie vicky victoire victor victoria
        victory video vienna vietnam viewsonic vijay vijaya vika viking vikings vikram viktor viktoria viktoriya villa village
        villanueva villevalo vince vincent vincenzo vinicius vinnie vintage viola violet violeta violetta violette violin
        viper vipers viphv virgil virgin virginia virginie virgo viriato virtual virtue virus vishal vishnu vision vitalik
        vitaliy vitamin vitor vitoria vittoria vittorio vivian viviana viviane vivien vjcrdf vjkjrj vjqgfhjkm vkmz vkontakte
        vlad vladik vladimir vladislav vodafone vodka voetbal voiture volcano volcom voldemort volimte volkova volkswagen
        volley volleyball voltaire volume volvo voodoo vortex vova voyage voyager vqsablpzla vrbgqns vulcan vvvvvv vwdubjx
        wachtwoord waffle waffles wagner waheguru walalang waldiw walker walkman wall wallace walleye wally walmart walnut
        walrus walter wanda wang wangyut wanker wanrltw wanted warcraft wareagle warhammer warlock warlord warner warning
        warren warrior warriors warszawa wasabi wasdwasd washburn washington wasser wassup wasted waswas water waterboy
        waterfall waterloo waterman watermelon waterpolo waters watever watson wayne wazzup wbgad wdtnjr wdtnjxtr wealth weare
        weasel weather weaver webber webcam webhompass webhost webmaster webster wedding wednesday weed weedman weekend weenie
        weewee weezer weezy weiwei welcome welder welkom wellington wendell wendy wenoob werder werewolf werner werock
        weronika wersdf wert werter werty wertyu wertzu werwer wesley west westcoast western westham westlife weston westside
        westwood wetpussy wewewe weyersheim what whatever whatsup whatthefuck whatthezor whatup whatwhat wheeler wheels
        whiskers whiskey whisky whisper whistler white whiteboy whitesox whitetiger whitey whitney whoami whoareyou whocares
        whoknows whore whynot wiccan wicked widget wifey wiggles wigolf wiktoria wilbur wildcat wildcats wildchild wildfire
        wildman wildthing wildwood wilfried will willem william williams willie willis willow willy wilma wilson winchester
        windmill window windows windowsxp windsor windsurf winmx winner winners winnie winston winter winwin winxclub wireless
        wisconsin wisdom wiseman wishbone wizard woaini woaiwojia wojtek wolf wolfgang wolfie wolfman wolfpack wolverine
        wolves wombat women wonder wonderful wonderland wonderwoman woodland woodstock woody woofer woofwoof woohoo wookie
        woord word wordlife wordpass work working world worship woshishui woshiyazi wowwow wpcakir wrangler wrasloco wrestle
        wrestler wrestling wright wrigley writer wsbe wsxedc wsxzaq wubin wutang wwww wwwwww wwwwwww wwwwwwww wxcvbn wyatt
        wyoming xanadu xander xantria xavier xaxaxa xbke xblhintb xbonesx xbox xboxlive xdqwerty xfgs xfiles xiang xiaoxiao
        xige ximena xlsl xoxoxo xred xtreme xtseo xxxx xxxxx xxxxxx xxxxxxx xxxxxxxx xxxxxxxxxx yaallah yagjecc yahoo
        yahoomail yahooo yahweh yamaha yamahar yamato yancai yandex yandi yangyang yankee yankees yanks yannick yanyan
        yaoiisgrand yaroslav yasemin yasmin yasmina yasmine yassine yayaya ybccfy ybrbnf ybrjkfq yeah yeahbaby yeahyeah yellow
        yellowcard yemi yesenia yeshua yesterday yesyes yfcn yfcntyf yfcntymrf yfcnz yfdbufnjh yfhenj yfnfif yfnfirf yfnfkb
        yfnfkmz ygbh ygbj yggdrasil yjdsqgfhjkm ylpe yogesh yogibear yolanda yolo yomama yomamma yomisma yomismo yomomma
        yorkie yosemite yoshi youandme youbye youknow young youngmoney youporn yourgay yourmom youssef yousuck youtube youyou
        yoyo yoyoyo yoyoyoyo yrybgra ytrewq ytreza yuantuo yugioh yuliya yummy yumyum yvette yvonne yxcvbnm yyyyyy zacatecas
        zacefron zach zachary zack zainab zakaria zalupa zamora zander zanzibar zapata zaqwsx zaqwsxcde zaqxsw zaqxswcde
        zaqzaq zaragoza zaraza zarina zasada zavilov zaxscd zazaza zbychlas zebra zebulon zelda zenith zephyr zeppelin zero
        zerocool zerozero zesh zeus zeynep zhang zhjckfd zhou zidane ziggy zigzag zildjian zimbabwe zimmer zipper zippy zlatan
        zodiac zoey zoloto zombie zombies zoomzoom zoosk zooyork zorro zouzou zsazsa zufqd zvezda zwickau zxasqw zxcasd
        zxcasdqwe zxccxz zxcv zxcvasdf zxcvb zxcvbn zxcvbnm zxcvzxcv zxczxc zxczxczxc zxzxzx zyjxrf zzzxxx zzzz zzzzz zzzzzz
        zzzzzzz zzzzzzzz zzzzzzzzzz
        """
}
