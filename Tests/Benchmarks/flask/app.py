"""The same models in Flask-Admin, with the settings of SQLite that Django's have here."""
import os

from flask import Flask, redirect, request, session
from flask_admin import Admin, AdminIndexView, expose
from flask_admin.contrib.sqla import ModelView
from flask_admin.form import SecureForm
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import event

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "cache_size=-32000", "busy_timeout=20000", "foreign_keys=ON")
DIETS = [(diet, diet.capitalize()) for diet in ("herbivorous", "carnivorous", "omnivorous")]

app = Flask(__name__)
app.config["SECRET_KEY"] = "only-for-measuring"
app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite:///" + os.environ["ZOO_DATABASE"]
database = SQLAlchemy(app)


class AnimalCategory(database.Model):
    id = database.Column(database.Integer, primary_key=True)
    name = database.Column(database.String(100), unique=True, nullable=False)

    def __str__(self):
        return self.name


class Animal(database.Model):
    id = database.Column(database.Integer, primary_key=True)
    name = database.Column(database.String(200), index=True, nullable=False)
    diet = database.Column(database.String(16), index=True, nullable=False)
    category_id = database.Column(database.ForeignKey("animal_category.id"), index=True)
    category = database.relationship(AnimalCategory)


def is_signed_in():
    return session.get("user") == "admin"


class Home(AdminIndexView):
    """Signing in is left to the application by Flask-Admin; this is as little as it can be."""

    @expose("/")
    def index(self):
        return super().index() if is_signed_in() else redirect("/login")


class View(ModelView):
    form_base_class = SecureForm
    page_size = 50

    def is_accessible(self):
        return is_signed_in()

    def inaccessible_callback(self, name, **arguments):
        return redirect("/login")


class AnimalView(View):
    column_list = ["name", "diet", "category"]
    column_searchable_list = ["name"]
    column_filters = ["diet"]
    column_default_sort = "name"
    column_auto_select_related = True
    form_columns = ["name", "diet", "category"]
    form_choices = {"diet": DIETS}
    column_choices = {"diet": DIETS}


@app.route("/login", methods=["GET", "POST"])
def sign_in():
    if request.method == "GET":
        return '<form method="post"><input name="username"><input name="password" type="password"></form>'
    if (request.form["username"], request.form["password"]) != ("admin", "admin"):
        return "no", 403
    session["user"] = "admin"
    return redirect("/admin/")


with app.app_context():
    @event.listens_for(database.engine, "connect")
    def set_pragmas(connection, _):
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute("PRAGMA " + pragma)
        cursor.close()

admin = Admin(app, name="Zoo", index_view=Home())
admin.add_view(AnimalView(Animal, database.session))
admin.add_view(View(AnimalCategory, database.session))
