"""Makes the file that the application shows: fill.py ROWS."""
import sys

import data
from app import Animal, AnimalCategory, app, database

with app.app_context():
    database.create_all()
    names = [f"Category {number:03d}" for number in range(data.CATEGORIES)]
    database.session.bulk_insert_mappings(AnimalCategory, [{"name": name} for name in names])
    database.session.commit()
    ids = {category.name: category.id for category in AnimalCategory.query}
    rows = (data.animal(number) for number in range(int(sys.argv[1])))
    batch = []
    for name, diet, category in rows:
        batch.append({"name": name, "diet": diet, "category_id": ids.get(category)})
        if len(batch) == 10_000:
            database.session.bulk_insert_mappings(Animal, batch)
            batch = []
    database.session.bulk_insert_mappings(Animal, batch)
    database.session.commit()
